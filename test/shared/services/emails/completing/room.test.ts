import { maxMessageBytes } from '../../../../../shared/domain/message/messageSize.ts';
import { Room } from '../../../../../shared/services/emails/completing/room.ts';

const part = Math.ceil(maxMessageBytes / 2) + 1;

it('is had in the order in which places were asked for, whoever comes first', async () => {
  const room = new Room();
  const [first, second, third] = [room.place(), room.place(), room.place()];
  const answers: string[] = [];
  const late = second.take(part).then((fits) => answers.push(`second ${fits}`));
  const last = third.take(10).then((fits) => answers.push(`third ${fits}`));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(answers).toEqual([]);
  expect(await first.take(part)).toBe(true);
  await Promise.all([late, last]);
  // What does not fit takes nothing: what is small enough still does.
  expect(answers).toEqual(['second false', 'third true']);
});

it('goes on to the next when one leaves it, before its turn or after', async () => {
  const room = new Room();
  const [first, second, third] = [room.place(), room.place(), room.place()];
  second.leave();
  expect(await first.take(1)).toBe(true);
  first.leave();
  expect(await third.take(maxMessageBytes - 1)).toBe(true);
});
