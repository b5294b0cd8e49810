import { Argument, type Command } from 'commander';

/** What may stand after the words so far, with what each means. */
interface Place {
  /** Words before: none, a noun, or a noun and a verb. */
  readonly path: readonly string[];
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
}

const scripts = { bash, zsh, fish } as const;
type Shell = keyof typeof scripts;

/** Prints what makes a shell complete nouns, verbs and options. It is written of the program as it is. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the completion for a shell, for example: eval "$(mailroom completion bash)"')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action((shell: Shell) => {
      process.stdout.write(scripts[shell](placesOf(program)));
    });
}

function placesOf(program: Command): Place[] {
  const everywhere = optionsOf(program);
  const nouns = program.commands.map((noun) => ({ path: [noun.name()], noun }));
  return [
    { path: [], words: [...wordsOf(program), ...everywhere] },
    ...nouns.flatMap(({ path, noun }): Place[] => [
      { path, words: [...wordsOf(noun), ...optionsOf(noun), ...everywhere] },
      ...noun.commands.map((verb) => ({ path: [...path, verb.name()], words: [...optionsOf(verb), ...everywhere] })),
    ]),
  ];
}

const wordsOf = (command: Command) =>
  command.commands.map((child) => ({ word: child.name(), meaning: child.description() }));

const optionsOf = (command: Command) =>
  command.options.flatMap(({ long, description }) => (long ? [{ word: long, meaning: description }] : []));

const listed = ({ words }: Place): string => words.map(({ word }) => word).join(' ');

/** The nouns and verbs among the words so far; both shells keep what was typed in an array. */
const caseOf = (places: readonly Place[]): string =>
  places.map((place) => `    "${place.path.join(' ')}") words="${listed(place)}";;`).join('\n');

function bash(places: readonly Place[]): string {
  return `_mailroom() {
  local path="" count=0 words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* && $count -lt 2 ]]; then path="\${path:+$path }\${COMP_WORDS[i]}"; count=$((count + 1)); fi
  done
  case "$path" in
${caseOf(places)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mailroom mailroom
`;
}

function zsh(places: readonly Place[]): string {
  return `_mailroom() {
  local given="" count=0 found="" i
  for ((i = 2; i < CURRENT; i++)); do
    if [[ \${words[i]} != -* && $count -lt 2 ]]; then given="\${given:+$given }\${words[i]}"; count=$((count + 1)); fi
  done
  case "$given" in
${caseOf(places).replaceAll('words=', 'found=')}
  esac
  compadd -- \${=found}
}
# A shell without a configuration of its own has not begun completing.
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _mailroom mailroom
`;
}

function fish(places: readonly Place[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = places.flatMap(({ path, words }) => {
    const [noun, verb] = path;
    const condition = [
      noun ? `__fish_seen_subcommand_from ${noun}` : '__fish_use_subcommand',
      ...(verb ? [`__fish_seen_subcommand_from ${verb}`] : []),
    ].join('; and ');
    return words.map(({ word, meaning }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c mailroom -n ${quoted(condition)} ${what} -d ${quoted(meaning)}`;
    });
  });
  return `complete -c mailroom -f\n${lines.join('\n')}\n`;
}
