/** What Windows drops from the end of a name, so that `x.exe.` is opened as `x.exe`; and what nobody can see. */
const trailingNothing = /[\s.\p{Cf}]+$/u;

/** The extension of a file name, lower-case, without its dot; empty when there is none. `.exe` alone counts as one. */
export function fileExtension(filename: string): string {
  return filename.replace(trailingNothing, '').includes('.') ? lastPart(filename) : '';
}

/** What follows the last dot of a file name, lower-case; all of it when there is none. */
export function lastPart(filename: string): string {
  const name = filename.replace(trailingNothing, '');
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
