/**
 * How many characters a text has: Unicode code points, as JSON Schema counts (Validation 2020-12 section 6.3.1, RFC
 * 8259), so that an emoji is one and not two. Half of a surrogate pair counts as one.
 */
export function characterCount(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index++) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) pairs++;
  }
  return text.length - pairs;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
