import { type Issue, ValidationError } from '../../../contract/errors.ts';
import { unguardCell } from '../../../domain/csvCell.ts';
import type { Column, DeclaredColumn } from '../../../domain/job.ts';
import { textsOf } from '../../../language/text.ts';
import { guessColumns, problemsOfColumns } from './columns.ts';
import { hasLeft } from './consentStatus.ts';

/** Throws `validation_error` unless one column is the address, and no title and no meaning occurs twice. */
export function checkDeclared(declared: readonly DeclaredColumn[]): void {
  const titles = declared.map(({ header }) => header.trim());
  const twice = titles.flatMap((title, index): Issue[] =>
    titles.indexOf(title) === index ? [] : [{ path: `columns[${index}].header`, text: texts.twice }],
  );
  const issues = [...twice, ...problemsOf(declared.map(({ column }) => column))];
  if (issues.length > 0) throw new ValidationError(issues);
}

const problemsOf = (columns: readonly Column[]): Issue[] =>
  problemsOfColumns(columns).map(({ path, text }) => ({ path: `columns.${path}`, text }));

/**
 * The columns in the order of the file, by what was declared of each title. Throws `validation_error` with every title
 * that only one of both has, and for a column that says who left and is not read as that.
 */
export function columnsInOrder(
  header: readonly string[],
  declared: readonly DeclaredColumn[],
  { isSuppression }: { readonly isSuppression: boolean },
): Column[] {
  const titles = header.map((cell) => unguardCell(cell).trim());
  const byTitle = new Map(declared.map(({ header: title, column }) => [title.trim(), column]));
  const guessed = guessColumns(header, { isSuppression });
  const columns = titles.map((title): Column => byTitle.get(title) ?? { kind: 'ignored' });
  const issues: Issue[] = [
    ...declared.flatMap(({ header: title }, index) =>
      titles.includes(title.trim()) ? [] : [{ path: `columns[${index}].header`, text: texts.notInFile }],
    ),
    ...titles.flatMap((title, index) => {
      if (!byTitle.has(title)) return undeclared(title);
      const text = isSuppression ? null : overlooked(guessed[index], columns[index]);
      return text ? [{ path: `columns.${title}`, text }] : [];
    }),
  ];
  if (issues.length === 0) issues.push(...problemsOf(columns));
  if (issues.length > 0) throw new ValidationError(issues);
  return columns;
}

/** People who left another service must not be subscribed here because a program ignores the column that says so. */
function overlooked(guessed: Column | undefined, declared: Column | undefined) {
  if (guessed?.kind === 'everybody') return hasLeft(guessed.standing) ? texts.everybodyLeft : null;
  const saysWhoLeft = guessed?.kind === 'status' || guessed?.kind === 'unsubscribed';
  return saysWhoLeft && declared?.kind !== guessed.kind ? texts.saysWhoLeft[guessed.kind] : null;
}

const undeclared = (title: string): Issue => ({
  path: 'columns',
  text: {
    en: `lacks the column "${title}" of the file: say what it is, or "ignored"`,
    fr: `ne nomme pas la colonne « ${title} » du fichier : dites ce qu’elle est, ou « ignored »`,
  },
});

const texts = {
  ...textsOf({
    twice: { en: 'is named twice', fr: 'est nommée deux fois' },
    notInFile: { en: 'is not in the first line of the file', fr: 'n’est pas dans la première ligne du fichier' },
    everybodyLeft: {
      en: 'is in lists of people who left another service: import this file with the kind "suppression"',
      fr: 'figure dans les listes de personnes parties d’un autre service : importez ce fichier avec le type « suppression »',
    },
  }),
  saysWhoLeft: textsOf({
    status: {
      en: 'says who left: declare it as "status", or take it out of the file',
      fr: 'dit qui est parti : déclarez-la comme « status », ou retirez-la du fichier',
    },
    unsubscribed: {
      en: 'says who left: declare it as "unsubscribed", or take it out of the file',
      fr: 'dit qui est parti : déclarez-la comme « unsubscribed », ou retirez-la du fichier',
    },
  }),
};
