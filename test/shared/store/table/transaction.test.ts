import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { contended } from '../../../../shared/store/table/transaction.ts';

const conflict = () => new TransactionConflictException({ $metadata: {}, message: 'Transaction is ongoing.' });
const canceled = (...codes: string[]) =>
  new TransactionCanceledException({
    $metadata: {},
    message: 'Transaction cancelled.',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** A write that meets these errors first. */
function writeAfter(...errors: Error[]) {
  const write = async () => {
    write.calls += 1;
    const error = errors.shift();
    if (error) throw error;
    return 'written';
  };
  write.calls = 0;
  return write;
}

describe('contended', () => {
  it('does a write again that met a transaction', async () => {
    const write = writeAfter(conflict(), canceled('None', 'TransactionConflict'));
    expect(await contended(write)).toBe('written');
    expect(write.calls).toBe(3);
  });

  it.each([
    ['a condition that failed', canceled('ConditionalCheckFailed', 'TransactionConflict')],
    ['another reason', canceled('ValidationError')],
    ['another error', new Error('no')],
  ])('leaves %s to the caller', async (_name, error) => {
    const write = writeAfter(error);
    await expect(contended(write)).rejects.toBe(error);
    expect(write.calls).toBe(1);
  });

  it('gives up when the conflict does not end', async () => {
    const write = writeAfter(...Array.from({ length: 20 }, conflict));
    await expect(contended(write)).rejects.toThrow('Transaction is ongoing.');
    expect(write.calls).toBe(7);
  });
});
