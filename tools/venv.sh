#!/bin/sh
# Make the virtual environment DIR with the newest Python this machine has, 3.11 or later; if there is none, print
# the exact line that installs it. Does nothing when DIR works already.
#   usage: tools/venv.sh DIR          PYTHON=/path/to/python3 tries that one first
set -u
dir=$1
at_least='import sys; sys.exit(sys.version_info < (3, 11))'

works() { "$1/bin/python" -c "$at_least" 2>/dev/null && "$1/bin/python" -m pip --version >/dev/null 2>&1; }

if works "$dir"; then exit 0; fi

new_enough=
for python in ${PYTHON:-} python3.14 python3.13 python3.12 python3.11 python3; do
    # A name on PATH proves nothing (pyenv's shims are there for every version), so run it.
    "$python" -c "$at_least" >/dev/null 2>&1 || continue
    new_enough=$python
    rm -rf "$dir"
    # Debian's Python comes without ensurepip: there this fails, or leaves an environment without pip.
    if "$python" -m venv "$dir" >/dev/null 2>&1 && works "$dir"; then
        echo "made $dir with $("$dir/bin/python" --version)"
        exit 0
    fi
done
rm -rf "$dir"

release() { sed -n "s/^$1=//p" "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | tr -d '"'; }
case "$(uname -s) $(release ID) $(release ID_LIKE)" in
Darwin*)
    line='brew install python@3.13' ;;
*debian* | *ubuntu*)
    if [ -n "$new_enough" ]; then
        version=$("$new_enough" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        line="sudo apt-get update && sudo apt-get install -y python$version-venv"
    elif [ "$(release VERSION_ID)" = 22.04 ]; then
        line='sudo apt-get update && sudo apt-get install -y python3.11 python3.11-venv'
    else
        line='sudo apt-get update && sudo apt-get install -y python3 python3-venv'
    fi ;;
*fedora* | *rhel* | *centos*)
    case "$(release ID)" in fedora) line='sudo dnf install -y python3' ;; *) line='sudo dnf install -y python3.12' ;; esac ;;
*arch*)
    line='sudo pacman -S --needed python' ;;
*suse*)
    line='sudo zypper install -y python313' ;;
*alpine*)
    line='apk add python3' ;;
*)
    line= ;;
esac

{
    echo "Landsraad needs Python 3.11 or later with a working venv module, and found none here."
    if [ -n "$line" ]; then echo "This installs it:"; echo "    $line"; fi
    echo "If it is installed in an unusual place:"
    echo "    make PYTHON=/path/to/python3 setup"
} >&2
exit 1
