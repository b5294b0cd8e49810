/** What Windows drops from the end of a name, so that `x.exe.` is opened as `x.exe`; and what nobody can see. */
const trailingNothing = /[\s.\p{Cf}]+$/u;

/** The extension of a file name, lower-case, without its dot; empty when there is none. `.exe` alone counts as one. */
export function fileExtension(filename: string): string {
  const name = filename.replace(trailingNothing, '');
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}
