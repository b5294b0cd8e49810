import { InvalidArgumentError, Option } from 'commander';
import { addressKey, parseAddress } from '../../../shared/domain/address/address.ts';
import { addressProblemTexts } from '../../../shared/domain/address/addressTexts.ts';
import { type SuppressionReason, suppressionReasons } from '../../../shared/domain/person/suppression.ts';
import { now } from '../../../shared/platform/clock.ts';
import { unsuppress } from '../../../shared/services/suppression/remove.ts';
import { suppress } from '../../../shared/services/suppression/suppress.ts';
import { findWorkspace } from '../../../shared/services/workspaces/find.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import type { Output } from '../output.ts';

export const suppressionNoun: Noun = (program) => {
  const noun = program.command('suppression').description('addresses that get no mail');
  noun
    .command('add')
    .description('block an address for every workspace (for one workspace: POST /api/v1/suppression)')
    .argument('<address>', 'the address', address)
    .requiredOption('--platform', 'for the whole platform')
    .addOption(new Option('--reason <reason>', 'why').choices(suppressionReasons).default('manual'))
    .action(action<{ reason: SuppressionReason }>(add));
  noun
    .command('remove')
    .description('take an address off the list of a workspace, or of the platform')
    .argument('<address>', 'the address', address)
    .option('--platform', 'the list of the whole platform', false)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { platform: boolean }>(remove));
};

/** The form in which addresses are compared. */
function address(text: string): string {
  const parsed = parseAddress(text);
  if (parsed.ok) return addressKey(parsed.address);
  throw new InvalidArgumentError(`"${text}" ${addressProblemTexts[parsed.problem].en}.`);
}

async function add({ reason }: { reason: SuppressionReason }, email = ''): Promise<Output> {
  await suppress(null, email, reason, now());
  return {
    json: { object: 'suppression', email, reason, scope: 'platform' },
    text: `${email} gets no mail from any workspace.`,
  };
}

async function remove(options: WorkspaceOption & { platform: boolean }, email = ''): Promise<Output> {
  const workspaceId = options.platform ? null : (await findWorkspace(options.workspace)).id;
  const reason = await unsuppress(workspaceId, email, now());
  const scope = options.platform ? 'platform' : 'organization';
  return {
    json: { object: 'suppression', email, reason, scope, deleted: true },
    text: `${email} is off the list; it stood there for: ${reason}.`,
  };
}
