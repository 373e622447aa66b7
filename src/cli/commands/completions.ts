import { Argument, type Command, type Option } from 'commander'
import type { DefineCommand } from '../cli.ts'
import { print } from '../output/print.ts'

/** The script of each shell. A module of zsh runs that of bash. */
const SCRIPTS: Readonly<Record<string, (commands: readonly Command[]) => string[]>> = {
  bash,
  zsh: commands => [
    '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }',
    'autoload -Uz bashcompinit && bashcompinit',
    ...bash(commands),
  ],
  fish,
}

/** `pds completions`: prints a script that lets a shell complete commands, options, datasets and other fixed values. */
export const defineCommand: DefineCommand = command => {
  command
    .description('print the completions of pds for a shell')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: string) => {
      const { parent: program } = command
      if (program !== null) print(...(SCRIPTS[shell]?.(program.createHelp().visibleCommands(program)) ?? []))
    })
}

const optionsOf = (command: Command) => command.createHelp().visibleOptions(command)
const flagsOf = ({ short, long }: Option) => [short, long].filter(flag => flag !== undefined)
/** The fixed values of an option or argument, without those that a shell would read as its own. */
const valuesOf = ({ argChoices = [] }: Option | Argument) => argChoices.filter(word => /^[\w.-]+$/.test(word))
/** Quotes a text for any of the shells. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const list = (words: readonly string[]) => quoted(words.join(' '))

function bash(commands: readonly Command[]): string[] {
  const cases = commands.flatMap(command => {
    const keyed = (key: unknown, words: readonly string[]) => ({ key: `${command.name()} ${key}`, words })
    return [
      keyed('-', optionsOf(command).flatMap(flagsOf)),
      ...command.registeredArguments.map((argument, place) => keyed(place, valuesOf(argument))),
      ...optionsOf(command).flatMap(option => (option.required ? keyed(option.long, valuesOf(option)) : [])),
    ]
  })
  const valued = cases.flatMap(({ key }) => (key.includes(' --') ? quoted(key) : []))
  const names = { key: ' names', words: commands.map(command => command.name()) }
  return [
    `_pds() {
  local word=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} place=0 words= at
  for ((at = 2; at < COMP_CWORD; at++)); do
    case "$command \${COMP_WORDS[at]}" in
      ${valued.join('|')})
        ((++at < COMP_CWORD)) || place=\${COMP_WORDS[at - 1]} ;;
      *' -'*) ;;
      *) place=$((place + 1)) ;;
    esac
  done
  [[ $word != -* ]] || place=-
  ((COMP_CWORD > 1)) || command= place=names
  case "$command $place" in`,
    ...[names, ...cases].map(({ key, words }) => `    ${quoted(key)}) words=${list(words)} ;;`),
    `  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _pds pds`,
  ]
}

function fish(commands: readonly Command[]): string[] {
  return commands.flatMap(command => {
    const isNamed = `__fish_seen_subcommand_from ${command.name()}`
    const options = optionsOf(command).map(option => {
      const flags = flagsOf(option).map(flag => flag.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s '))
      const value = option.argChoices ? ` -x -a ${list(valuesOf(option))}` : option.required ? ' -r' : ''
      return `-n ${quoted(isNamed)} ${flags.join(' ')}${value} -d ${quoted(option.description)}`
    })
    const places = command.registeredArguments.filter(({ argChoices }) => argChoices).map(valuesOf)
    return [
      `-n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.description())}`,
      ...options,
      ...places.map(words => {
        const isMissing = `${isNamed}; and not __fish_seen_subcommand_from ${words.join(' ')}`
        return `-n ${quoted(isMissing)} -f -a ${list(words)}`
      }),
    ].map(line => `complete -c pds ${line}`)
  })
}
