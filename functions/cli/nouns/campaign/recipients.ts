import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { recipientHeader, recipientLine } from '../../../../shared/domain/campaign/recipientsCsv.ts';
import type { SliceOutcome } from '../../../../shared/domain/campaign/slice.ts';
import { campaignRecipients } from '../../../../shared/services/campaigns/operator/recipients.ts';
import { action, type WorkspaceOption } from '../../action.ts';
import { inWorkspace } from '../../context.ts';

const outcomes = ['sent', 'failed', 'uncertain', 'skipped', 'waiting'] as const satisfies readonly SliceOutcome[];

interface Options extends WorkspaceOption {
  readonly outcome?: SliceOutcome;
  readonly format: 'csv' | 'jsonl';
}

/** Everybody of a campaign, as a stream to stdout. */
export function recipientsCommand(command: Command): void {
  command
    .addOption(new Option('--outcome <outcome>', 'only people of this outcome').choices(outcomes))
    .addOption(
      new Option('--format <format>', 'csv, or one JSON record a line').choices(['csv', 'jsonl']).default('csv'),
    )
    .action(action<Options>(write));
}

async function write(options: Options, id = ''): Promise<null> {
  const context = await inWorkspace(options);
  const pieces = async function* () {
    if (options.format === 'csv') yield recipientHeader;
    for await (const people of campaignRecipients(context, { id, outcome: options.outcome })) {
      for (const person of people)
        yield options.format === 'csv' ? recipientLine(person) : `${JSON.stringify(person)}\n`;
    }
  };
  try {
    await pipeline(Readable.from(pieces()), process.stdout, { end: false });
  } catch (error) {
    // Whoever reads may have seen enough: `| head` is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
  return null;
}
