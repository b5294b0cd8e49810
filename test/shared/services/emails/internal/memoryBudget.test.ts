import { maxMessageBytes } from '../../../../../shared/domain/message/attachment.ts';
import { MemoryBudget } from '../../../../../shared/services/emails/internal/completeEmail.ts';

const part = Math.ceil(maxMessageBytes / 2) + 1;

it('is shared in the order of the emails, whichever asks first', async () => {
  const budget = new MemoryBudget();
  const [first, second, third] = [budget.share(), budget.share(), budget.share()];
  const decided: string[] = [];
  const two = second.take(part).then((fits) => decided.push(`second ${fits}`));
  const three = third.take(10).then((fits) => decided.push(`third ${fits}`));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(decided).toEqual([]);
  expect(await first.take(part)).toBe(true);
  await Promise.all([two, three]);
  // A share that does not fit takes nothing, so that a smaller one may.
  expect(decided).toEqual(['second false', 'third true']);
});

it('is passed on by an email that leaves, before or after its turn', async () => {
  const budget = new MemoryBudget();
  const [first, second, third] = [budget.share(), budget.share(), budget.share()];
  second.leave();
  expect(await first.take(1)).toBe(true);
  first.leave();
  expect(await third.take(maxMessageBytes - 1)).toBe(true);
});
