import { jest } from '@jest/globals';
import { logger } from '../../../shared/platform/logger.ts';
import { draftCampaign } from '../domain/campaign/draftCampaign.ts';
import { startInterferingTable } from '../store/table/interferingTable.ts';
import { useTable } from '../store/testTable.ts';
import { operatorContext } from './context.ts';

/** A write whose answer was lost is retried, and its result is the same as with the answer. */

const at = new Date();
const tomorrow = new Date(at.getTime() + 86_400_000).toISOString();

let table: Awaited<ReturnType<typeof startInterferingTable>>;
let verbs: Awaited<ReturnType<typeof load>>;
let workspaceId: string;

const load = async () => ({
  ...(await import('../../../shared/store/campaign/campaigns.ts')),
  ...(await import('../../../shared/store/operators.ts')),
  ...(await import('../../../shared/store/table/table.ts')),
  ...(await import('../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../shared/services/campaigns/scheduleCampaign.ts')),
});

beforeAll(async () => {
  table = await startInterferingTable();
  useTable(table.endpoint);
  verbs = await load();
  ({ id: workspaceId } = await verbs.createWorkspace(operatorContext(), {
    name: 'Test',
    plan: 'free',
    language: 'en',
  }));
});
afterAll(async () => {
  verbs.documents.destroy();
  await table.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
  expect(table.interferences).toEqual([]);
});

/** Makes a write of which the answer is lost. */
function losing<T>(write: () => Promise<T>): Promise<T> {
  table.interferences.push('answer lost');
  return write();
}

async function drafted() {
  const campaign = draftCampaign(workspaceId, at);
  await verbs.addCampaign(campaign, { variants: [] });
  return campaign;
}

async function scheduled() {
  const campaign = await drafted();
  await verbs.moveCampaign(campaign, 'scheduled', at, tomorrow);
  return { ...campaign, status: 'scheduled' as const, scheduledAt: tomorrow };
}

async function underWay() {
  const campaign = await drafted();
  await verbs.moveCampaign(campaign, 'sending', at);
  return { ...campaign, status: 'sending' as const };
}

describe('a campaign', () => {
  it('is written once', async () => {
    const campaign = draftCampaign(workspaceId, at);
    // What it says first, then its record.
    table.interferences.push('nothing', 'answer lost');
    await verbs.addCampaign(campaign, { variants: [] });
    expect(await verbs.getCampaign(campaign)).toMatchObject({ status: 'draft' });
    await expect(verbs.addCampaign(campaign, { variants: [] })).rejects.toThrow('identifier of another');
  });

  it('is scheduled', async () => {
    const campaign = await drafted();
    expect(await losing(() => verbs.moveCampaign(campaign, 'scheduled', at, tomorrow))).toBe(true);
    expect(await verbs.getCampaign(campaign)).toMatchObject({ status: 'scheduled', scheduledAt: tomorrow });
    expect(await verbs.moveCampaign(campaign, 'scheduled', at, tomorrow)).toBe(false);
  });

  it('is held back and released', async () => {
    const campaign = await underWay();
    const hold = { reason: 'operator' as const, since: at.toISOString(), providerCode: null };
    expect(await losing(() => verbs.putHold(campaign, hold, at))).toBe(true);
    expect(await verbs.putHold(campaign, hold, at)).toBe(false);
    expect(await losing(() => verbs.removeHold({ ...campaign, hold }, 7, at))).toBe(true);
    expect(await verbs.getCampaign(campaign)).toMatchObject({
      hold: null,
      measured: { at: at.toISOString(), done: 7 },
    });
  });

  it('that was refused at its scheduled time is a draft again, and raises an alarm', async () => {
    const error = jest.spyOn(logger, 'error').mockImplementation(() => {});
    const { id } = await scheduled();
    const message = { kind: 'fire' as const, workspace_id: workspaceId, campaign_id: id, scheduled_at: tomorrow };
    await losing(() => verbs.sendScheduledCampaign(message, at));
    expect(error).toHaveBeenCalledWith(
      'A scheduled campaign could not be sent and becomes a draft again.',
      expect.objectContaining({ campaign_id: id }),
    );
    expect(await verbs.getCampaign({ workspaceId, id })).toMatchObject({ status: 'draft', scheduledAt: null });
  });

  it('raises that alarm again after a crash before it became a draft', async () => {
    const error = jest.spyOn(logger, 'error').mockImplementation(() => {});
    const { id } = await scheduled();
    const message = { kind: 'fire' as const, workspace_id: workspaceId, campaign_id: id, scheduled_at: tomorrow };
    table.interferences.push({ error: 'AccessDeniedException' });
    await expect(verbs.sendScheduledCampaign(message, at)).rejects.toThrow('Refused for a test.');
    await verbs.sendScheduledCampaign(message, at);
    await verbs.sendScheduledCampaign(message, at);
    expect(error).toHaveBeenCalledTimes(2);
  });
});

describe('a sign-in link', () => {
  const person = { name: 'Ada', role: 'owner' as const, workspaceId: null };

  it('signs an operator in, once', async () => {
    await verbs.putSignIn('lost', { ...person, expiresAt: new Date(tomorrow) });
    expect(await losing(() => verbs.takeSignIn('lost', at))).toMatchObject(person);
    expect(await verbs.takeSignIn('lost', at)).toBeNull();
  });

  it('lets one of two in who come together', async () => {
    await verbs.putSignIn('twins', { ...person, expiresAt: new Date(tomorrow) });
    const letIn = await Promise.all([verbs.takeSignIn('twins', at), verbs.takeSignIn('twins', at)]);
    expect(letIn.filter(Boolean)).toHaveLength(1);
  });
});
