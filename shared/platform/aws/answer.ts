import { withoutCredentials } from '../redaction.ts';

/** What came of a request to a service of AWS. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
  /** True when the request was refused, and the next is signed by a clock or credentials that were put right since. */
  readonly isSignerPutRight: boolean;
}

/** An answer that is none. */
export class GarbledAnswer extends Error {
  override readonly name = 'GarbledAnswer';
}

/** What an answer says, and who gave it is not certain: whatever stands between may answer as well, with whatever it likes. */
export interface ErrorDetails {
  readonly __type?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly Message?: unknown;
}

export function detailsOf<Details extends ErrorDetails>(text: string): Partial<Details> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

type Told = Pick<Answer, 'headers'>;

/** Where AWS JSON 1.0 looks for the name of an error, in its order ("Operation error serialization"). */
export const shapeOf = ({ __type, code }: ErrorDetails, { headers }: Told): string | undefined =>
  bareName(__type, code, headers['x-amzn-errortype']);

/** Where AWS restJson1 looks for it ("Operation error serialization"). */
export const restShapeOf = ({ __type, code }: ErrorDetails, { headers }: Told): string | undefined =>
  bareName(headers['x-amzn-errortype'], code, __type);

/** The first of these that is one, without the namespace before it and the address behind it. */
const bareName = (...told: unknown[]): string | undefined =>
  firstText(...told)
    ?.replace(/[:,].*$/, '')
    .replace(/^.*#/, '') || undefined;

/** AWS quotes what was signed when it refuses a signature: the token of a session is not to travel with an error. */
export function messageOf({ message, Message }: ErrorDetails): string | undefined {
  const told = firstText(message, Message);
  return told === undefined ? undefined : withoutCredentials(told);
}

const firstText = (...told: unknown[]): string | undefined => told.find((each) => typeof each === 'string');
