export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const BASH = `# Completion of svc for bash.
_svc_complete() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      compopt -o default 2>/dev/null
      COMPREPLY=()
      return
    fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(svc complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _svc_complete svc
`;

const ZSH = `#compdef svc
# Completion of svc for zsh.
_svc() {
  local line value
  local -a lines values
  lines=("\${(@f)$(svc complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${lines[1]}" == ":files" ]]; then
    _files
    return
  fi
  for line in "\${lines[@]}"; do
    [[ -n "$line" ]] || continue
    value="\${line%%$'\\t'*}"
    values+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe svc values
}
if (( $+functions[compdef] )); then compdef _svc svc; fi
`;

const FISH = `# Completion of svc for fish.
function __svc_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l current (commandline -ct)
  for line in (svc complete $words "$current" 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c svc -f -a '(__svc_complete)'
`;

export const selectCompletionScript = (shell: Shell): string =>
  ({ bash: BASH, zsh: ZSH, fish: FISH })[shell];
