package programs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// source is a program that is compiled with afl-cc, from a source package of Debian.
type source struct {
	pkg, version string
	program      string
	build        string // a shell script. It runs in the folder of the source, and writes the program to $OUT
}

var fromSource = map[string]source{
	"lua": {"lua5.1", "5.1.5-9", "lua", `cd src
rm -f luac.c print.c
afl-cc -O2 -w -DLUA_COMPAT_ALL -o $OUT *.c -lm`},
	"tidy": {"tidy-html5", "2:5.6.0-11", "tidy",
		`afl-cc -O2 -w -Iinclude -Isrc -DLIBTIDY_VERSION='"5.6.0"' -DRELEASE_DATE='"2017.11.25"' -o $OUT src/*.c console/tidy.c`},
	"giffix": {"giflib", "5.2.1-2.5+deb12u1", "giffix", `afl-cc -O2 -w -I. -o $OUT giffix.c dgif_lib.c egif_lib.c gifalloc.c gif_err.c \
	gif_font.c gif_hash.c openbsd-reallocarray.c qprintf.c quantize.c getarg.c -lm`},
	"pngcheck": {"pngcheck", "3.0.3-1", "pngcheck", `afl-cc -O2 -w -DUSE_ZLIB -o $OUT pngcheck.c -lz`},
	"bash": {"bash", "5.2.15-2", "bash", `CC=afl-cc ./configure --without-bash-malloc --disable-nls
make CC=afl-cc
cp bash $OUT`},
	"newlisp": {"newlisp", "10.7.5-2", "newlisp", `afl-cc -O2 -w -m64 -DNEWLISP64 -DLINUX -D_FILE_OFFSET_BITS=64 -DSUPPORT_UTF8 -o $OUT \
	newlisp.c nl-symbol.c nl-math.c nl-list.c nl-liststr.c nl-string.c nl-filesys.c nl-sock.c nl-import.c nl-xml-json.c nl-web.c \
	nl-matrix.c nl-debug.c nl-utf8.c pcre.c -lm -ldl`},
	"xmlwf": {"expat", "2.5.0-1+deb12u2", "xmlwf", `cd expat
for d in HAVE_GETRANDOM HAVE_UNISTD_H HAVE_FCNTL_H XML_DTD XML_NS STDC_HEADERS; do echo "#define $d 1"; done > expat_config.h
echo '#define BYTEORDER 1234
#define XML_CONTEXT_BYTES 1024' >> expat_config.h
afl-cc -O2 -w -DHAVE_EXPAT_CONFIG_H -I. -Ilib -o $OUT lib/xmlparse.c lib/xmlrole.c lib/xmltok.c xmlwf/xmlwf.c xmlwf/xmlfile.c \
	xmlwf/codepage.c xmlwf/unixfilemap.c`},
	"djpeg": {"libjpeg-turbo", "1:2.1.5-2", "djpeg", `subst='s/@JPEG_LIB_VERSION@/62/;s/@VERSION@/2.1.5/
s/@LIBJPEG_TURBO_VERSION_NUMBER@/2001005/;s/@BITS_IN_JSAMPLE@/8/;s/@BUILD@/0/;s/@INLINE@/inline/;s/@THREAD_LOCAL@/__thread/
s/@CMAKE_PROJECT_NAME@/x/;s/@SIZE_T@/8/;s/@COPYRIGHT_YEAR@/2023/;s/#cmakedefine \([CDM][A-Z_]*\) 1/#define \1 1/;/#cmakedefine/d'
for f in jconfig jconfigint jversion; do sed "$subst" $f.h.in > $f.h; done
afl-cc -O2 -w -I. -DPPM_SUPPORTED -DGIF_SUPPORTED -DBMP_SUPPORTED -o $OUT djpeg.c cdjpeg.c rdcolmap.c wrgif.c wrppm.c wrbmp.c \
	jdapimin.c jdapistd.c jdarith.c jaricom.c jdatadst.c jdatasrc.c jdcoefct.c jdcolor.c jddctmgr.c jdhuff.c jdicc.c jdinput.c \
	jdmainct.c jdmarker.c jdmaster.c jdmerge.c jdphuff.c jdpostct.c jdsample.c jdtrans.c jcomapi.c jerror.c jfdctflt.c jfdctfst.c \
	jfdctint.c jidctflt.c jidctfst.c jidctint.c jidctred.c jquant1.c jquant2.c jutils.c jmemmgr.c jmemnobs.c jsimd_none.c`},
	"pngtest": {"libpng1.6", "1.6.39-2+deb12u5", "pngtest", `cp scripts/pnglibconf.h.prebuilt pnglibconf.h
mkdir -p $SUITE
cp contrib/pngsuite/*.png $SUITE
afl-cc -O2 -w -DPNG_INTEL_SSE_OPT=0 -o $OUT png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c \
	pngset.c pngtrans.c pngwio.c pngwrite.c pngwtran.c pngwutil.c pngtest.c -lz -lm`},
}

// binaryOf returns the file of a program that was compiled with afl-cc. A quick run needs no source packages: it takes
// the small program of the experiment execs for any other.
func binaryOf(cfg lab.Config, name string) (file string, err error) {
	if !cfg.Quick {
		return compiled(name)
	}
	dir, release, err := foreign.Hold("programs")
	if err != nil {
		return "", err
	}
	defer release()
	return ways[1].compile(dir)
}

// compiled returns the file of a program that was compiled with afl-cc. It is compiled once, and kept in the user's
// cache folder.
func compiled(name string) (file string, err error) {
	s, ok := fromSource[name]
	if !ok {
		return "", fmt.Errorf("unknown program %q", name)
	}
	if _, err := lacks(lab.Config{}, "afl-cc", "apt-get", "dpkg-source"); err != nil {
		return "", err
	}
	dir, release, err := foreign.Hold("programs")
	if err != nil {
		return "", err
	}
	defer release()
	file = filepath.Join(dir, s.program+"-"+strings.ReplaceAll(s.version, ":", "."))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	temp, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	if err := s.download(temp); err != nil {
		return "", fmt.Errorf("source of %s: %w", name, err)
	}
	out := filepath.Join(temp, "out")
	env := []string{"AFL_QUIET=1", "OUT=" + out, "SUITE=" + filepath.Join(dir, "pngsuite")}
	if err := shell(filepath.Join(temp, "source"), env, "set -e\n"+s.build); err != nil {
		return "", fmt.Errorf("compile %s: %w", name, err)
	}
	return file, os.Rename(out, file)
}

// download gets the source by apt-get, with lists of its own: those of the system seldom have source packages.
func (s source) download(dir string) error {
	lists, err := sourceLists()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "parts"), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "parts", "all.sources"), []byte(lists), 0o666); err != nil {
		return err
	}
	return shell(dir, []string{"PKG=" + s.pkg + "=" + s.version}, `set -e
mkdir -p state/lists/partial cache/archives/partial
options="-qq -o Dir::State=$PWD/state -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache=$PWD/cache -o Dir::Etc::SourceList=/dev/null
	-o Dir::Etc::SourceParts=$PWD/parts -o APT::Sandbox::User=$(id -un)"
apt-get $options update
apt-get $options source --download-only $PKG
dpkg-source -x *.dsc source`)
}

// sourceLists returns the lists of packages of the system, for source packages.
func sourceLists() (string, error) {
	release, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return "", err
	}
	_, name, _ := strings.Cut(string(release), "VERSION_CODENAME=")
	name, _, _ = strings.Cut(name, "\n")
	files, _ := filepath.Glob("/etc/apt/sources.list.d/*.sources") // without a result there is an error below
	var all []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for part := range strings.SplitSeq(string(text), "\n\n") {
			if strings.Contains(part, "Suites: "+name) && strings.Contains(part, "Types: deb\n") {
				all = append(all, strings.Replace(part, "Types: deb\n", "Types: deb-src\n", 1))
			}
		}
	}
	if len(all) == 0 {
		return "", errors.New("no lists of packages in /etc/apt/sources.list.d")
	}
	return strings.Join(all, "\n\n") + "\n", nil
}

func shell(dir string, env []string, script string) error {
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		text := strings.TrimSpace(string(out))
		return fmt.Errorf("%w\n%s", err, text[max(0, len(text)-2000):])
	}
	return nil
}
