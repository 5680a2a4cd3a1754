package consts

const Green Color = 1
