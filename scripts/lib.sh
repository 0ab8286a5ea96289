# Sourced by the other scripts: what they check and how they speak.
# shellcheck shell=bash

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

step() { # step "what" command...: run it, and say what and how long it took
    local what=$1 began=$SECONDS
    shift
    printf '== %s\n' "$what"
    "$@" || fail "$what failed (exit code $?)"
    printf '== %s: %d s\n\n' "$what" $((SECONDS - began))
}

jdk_version() { # of the JDK in folder $1; empty where there is none
    [[ -x $1/bin/javac ]] || return 0
    if [[ -r $1/release ]]; then
        sed -nE 's/^JAVA_VERSION="(1\.)?([0-9]+).*/\2/p' "$1/release"
    else
        "$1/bin/javac" -version 2>&1 | sed -nE 's/^javac (1\.)?([0-9]+).*/\2/p'
    fi
}

jdk_homes() { # prints where a JDK may be, one a line
    local compiler
    compiler=$(command -v javac) && dirname "$(dirname "$(readlink -f "$compiler")")"
    printf '%s\n' /usr/lib/jvm/*17* /usr/lib/jvm/*11* /opt/java/* /opt/homebrew/opt/openjdk@17 /Library/Java/JavaVirtualMachines/*/Contents/Home
}

need_jdk() { # sets JAVA_HOME to a JDK 11 or 17, for Maven and for Spark
    local install='install JDK 17 (Debian and Ubuntu: apt-get install openjdk-17-jdk) or set JAVA_HOME to one'
    local home version unfit=''
    if [[ -n ${JAVA_HOME:-} ]]; then
        version=$(jdk_version "$JAVA_HOME")
        [[ $version == 11 || $version == 17 ]] ||
            fail "JAVA_HOME is $JAVA_HOME, which is ${version:+JDK }${version:-no JDK}; needed is JDK 11 or 17: $install"
        return
    fi
    while read -r home; do
        version=$(jdk_version "$home")
        if [[ $version == 11 || $version == 17 ]]; then
            export JAVA_HOME=$home
            return
        fi
        unfit=${unfit:-${version:+JDK $version in $home}}
    done < <(jdk_homes)
    fail "needed is JDK 11 or 17, found is ${unfit:-none}; $install"
}

need_maven() { # 3.6.3 or newer
    local install='install Maven 3.6.3 or newer (Debian and Ubuntu: apt-get install maven)' version
    command -v mvn >/dev/null || fail "there is no mvn on PATH; $install"
    version=$(mvn -version 2>/dev/null | sed -nE 's/.*Apache Maven ([0-9.]+).*/\1/p')
    [[ -n $version ]] || fail "mvn -version does not work; $install"
    [[ $(printf '%s\n' 3.6.3 "$version" | sort -V | head -n 1) == 3.6.3 ]] || fail "mvn is Maven $version; $install"
}

find_python() { # prints the path of a Python 3.11 to 3.13 that can make virtual environments
    local check='import sys, venv, ensurepip; print(sys.executable) if (3, 11) <= sys.version_info < (3, 14) else sys.exit(1)'
    local candidate
    # pyenv's commands on PATH may point to versions that are not selected, so its folder is looked at, too
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 \
        "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[123].*/bin/python; do
        "$candidate" -c "$check" 2>/dev/null && return
    done
    fail 'needed is Python 3.11, 3.12 or 3.13 with venv (Debian and Ubuntu: apt-get install python3 python3-venv); PYTHON=<path> names one'
}
