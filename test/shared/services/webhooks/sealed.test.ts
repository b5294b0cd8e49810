import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { emit, useWorld } from './emitting.ts';
import { newWebhook } from './world.ts';

const using = useWorld();

describe('a reader of the table', () => {
  it('finds no secret in it, and nothing that a delivery is signed with', async () => {
    const { secret, workspaceId } = await newWebhook({ url: using.receiver.url });
    await emit(workspaceId, [{ type: 'email.delivered', cause: 'sealed', data: {}, at: new Date() }]);
    const client = new DynamoDBClient({});
    const { Items } = await client.send(new ScanCommand({ TableName: process.env.TABLE_NAME }));
    client.destroy();
    const everything = JSON.stringify(Items);
    expect(Items?.length).toBeGreaterThan(1);
    expect(everything).not.toContain('whsec_');
    expect(everything).not.toContain(secret.slice('whsec_'.length));
    expect(everything).not.toContain(Buffer.from(secret).toString('base64'));
  });
});
