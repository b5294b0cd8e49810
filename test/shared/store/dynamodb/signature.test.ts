import { UpdateCommand } from '../../../../shared/store/dynamodb/commands.ts';
import { usePair } from '../../platform/aws/besideSdk.ts';
import { byAnotherClock, failureOf, tell, waitingTheirPart } from '../../platform/aws/jsonServer.ts';
import { input, pair, refuse } from './server.ts';

const clients = usePair(pair);
const update = () => clients.own.send(new UpdateCommand(input));

describe('credentials', () => {
  const used = () => {
    const { authorization, 'x-amz-security-token': token } = clients.server.heard.at(-1)?.headers ?? {};
    return [/Credential=(\w+)\//.exec(authorization ?? '')?.[1], token];
  };

  it('that end soon are found anew while they last', async () => {
    clients.server.answerBy((response) => tell(response, {}));
    const inAMinute = new Date(Date.now() + 60_000).toISOString();
    process.env.AWS_CREDENTIAL_EXPIRATION = inAMinute;
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'first', AWS_SESSION_TOKEN: 'one' });
    await update();
    expect(used()).toEqual(['first', 'one']);
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'second', AWS_SESSION_TOKEN: 'two' });
    await update();
    await update();
    expect(used()).toEqual(['second', 'two']);
  });
});

describe('a wrong clock', () => {
  const hour = 3_600_000;
  const atAnotherTime = (ahead: number) =>
    byAnotherClock(
      ahead,
      (response) => tell(response, {}),
      (response) => refuse(response, 'InvalidSignatureException', { message: 'Signature expired: 20261122T090000Z' }),
    );

  it('is set right by the refusal, for that call and those after it', async () => {
    waitingTheirPart(0);
    for (const ahead of [hour, -hour, 0]) {
      clients.server.answerBy(atAnotherTime(ahead));
      await Promise.all([update(), update(), update()]);
      expect(clients.server.heard).toHaveLength(6);
      await update();
      expect(clients.server.heard).toHaveLength(7);
    }
  });

  it('is no reason to believe an answer that tells of another time', async () => {
    waitingTheirPart(0);
    clients.server.answerBy((response) => {
      response.setHeader('date', new Date(Date.now() + hour).toUTCString()).setHeader('age', '3600');
      refuse(response, 'InvalidSignatureException');
    });
    expect(await failureOf(update())).toMatchObject({ name: 'InvalidSignatureException' });
    expect(clients.server.heard).toHaveLength(1);
  });
});
