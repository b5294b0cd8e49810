import { Argument, type Command } from 'commander';

/** The words that can follow a path of commands, with their descriptions. */
interface Completions {
  /** The commands before: none, a group, or a group and one of its commands. */
  readonly path: readonly string[];
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
}

const scripts = { bash, zsh, fish } as const;
type Shell = keyof typeof scripts;

/** Prints a completion script for a shell, generated from the commands of the program. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a completion script for a shell: eval "$(mailroom completion bash)"')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action((shell: Shell) => {
      process.stdout.write(scripts[shell](completionsOf(program)));
    });
}

function completionsOf(program: Command): Completions[] {
  const everywhere = optionsOf(program);
  const groups = program.commands.map((group) => ({ path: [group.name()], group }));
  return [
    { path: [], words: [...wordsOf(program), ...everywhere] },
    ...groups.flatMap(({ path, group }): Completions[] => [
      { path, words: [...wordsOf(group), ...optionsOf(group), ...everywhere] },
      ...group.commands.map((command) => ({
        path: [...path, command.name()],
        words: [...optionsOf(command), ...everywhere],
      })),
    ]),
  ];
}

const wordsOf = (command: Command) =>
  command.commands.map((child) => ({ word: child.name(), meaning: child.description() }));

const optionsOf = (command: Command) =>
  command.options.flatMap(({ long, description }) => (long ? [{ word: long, meaning: description }] : []));

const listed = ({ words }: Completions): string => words.map(({ word }) => word).join(' ');

/** The branches of a `case` over the commands so far, for bash and zsh. */
const caseOf = (completions: readonly Completions[]): string =>
  completions.map((one) => `    "${one.path.join(' ')}") words="${listed(one)}";;`).join('\n');

function bash(completions: readonly Completions[]): string {
  return `_mailroom() {
  local path="" count=0 words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* && $count -lt 2 ]]; then path="\${path:+$path }\${COMP_WORDS[i]}"; count=$((count + 1)); fi
  done
  case "$path" in
${caseOf(completions)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mailroom mailroom
`;
}

function zsh(completions: readonly Completions[]): string {
  return `_mailroom() {
  local given="" count=0 found="" i
  for ((i = 2; i < CURRENT; i++)); do
    if [[ \${words[i]} != -* && $count -lt 2 ]]; then given="\${given:+$given }\${words[i]}"; count=$((count + 1)); fi
  done
  case "$given" in
${caseOf(completions).replaceAll('words=', 'found=')}
  esac
  compadd -- \${=found}
}
# A shell without its own configuration has not loaded the completion system.
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _mailroom mailroom
`;
}

function fish(completions: readonly Completions[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = completions.flatMap(({ path, words }) => {
    const [group, command] = path;
    const condition = [
      group ? `__fish_seen_subcommand_from ${group}` : '__fish_use_subcommand',
      ...(command ? [`__fish_seen_subcommand_from ${command}`] : []),
    ].join('; and ');
    return words.map(({ word, meaning }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c mailroom -n ${quoted(condition)} ${what} -d ${quoted(meaning)}`;
    });
  });
  return `complete -c mailroom -f\n${lines.join('\n')}\n`;
}
