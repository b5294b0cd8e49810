import type { BenchContext, Row, Section } from '../report.ts';
import { type BesideFigures, measureBeside } from './beside.ts';
import { campaignConsumption } from './consumption.ts';
import { type FeedbackOfList, measureFeedback } from './feedback.ts';
import { type FrozenList, measureEngine, measureFreeze } from './freeze.ts';
import { segmentRule, workspaceWith } from './people.ts';
import { measureReport, type ReportFigures } from './report.ts';
import { besideRows, feedbackRows, freezeRows, hottestRow, pacedRow, reportRow, speedRow, wholeRows } from './rows.ts';
import { measureSending, type PacedSending, type SendingFigures } from './sending.ts';
import { measureWhole, type WholeFigures } from './whole.ts';
import { contextOf, startWorld, type World } from './world.ts';

/** Accounts' rates, and how long their campaigns are looked at. */
const rates = (quick: boolean) => [
  { perSecond: 14, seconds: quick ? 8 : 60 },
  { perSecond: 100, seconds: quick ? 6 : 30 },
  { perSecond: 500, seconds: quick ? 6 : 30 },
];

/** Campaigns, from the list that is frozen to the report, by a provider that only counts. */
export async function benchCampaigns({ quick }: BenchContext): Promise<Section> {
  const world = await startWorld();
  try {
    const freeze = await freezes(world, quick ? 20_000 : 200_000);
    const large = quick ? freeze.workspaceId : await workspaceWith(world, 30_000);
    const speed = await speedOf(world, large, quick ? 5 : 10);
    const paced = await pacedAt(world, large, rates(quick));
    const beside = await measureBeside(world, large, 112, quick ? 10 : 60);
    const whole = await wholeOf(world, quick ? [6000, 450] : [12_000, 100]);
    const feedback = await feedbackOf(world, quick ? [1000, 10_000] : [1000, 100_000]);
    const report = await measureReport(world, await workspaceWith(world, 0), 1_000_000);
    const figures = { freeze, speed, paced, beside, whole, feedback, report };
    return {
      title: 'Campaigns',
      rows: rowsOf(figures),
      figures: withoutCalls(figures),
      consumption: [campaignConsumption(freeze.everybody, whole, feedback.at(-1))],
    };
  } finally {
    await world.stop();
  }
}

async function freezes(world: World, people: number): Promise<FrozenList> {
  const workspaceId = await workspaceWith(world, people);
  const { id } = await world.load.createSegment(contextOf(workspaceId), { name: 'Paris', rule: segmentRule });
  const engine = await measureEngine(world, workspaceId, ['email']);
  const everybody = await measureFreeze(world, workspaceId);
  const segmentEngine = await measureEngine(world, workspaceId, ['email', 'tags', 'fields']);
  const segment = await measureFreeze(world, workspaceId, id);
  return { workspaceId, people, engine, everybody, segmentEngine, segment };
}

function speedOf(world: World, workspaceId: string, seconds: number): Promise<SendingFigures> {
  const rules = { latencyMilliseconds: 50, perSecond: 10_000 };
  return measureSending(world, workspaceId, rules, { warmSeconds: 2, seconds });
}

async function pacedAt(world: World, workspaceId: string, wanted: ReturnType<typeof rates>): Promise<PacedSending[]> {
  const found: PacedSending[] = [];
  for (const { perSecond, seconds } of wanted) {
    const rules = { latencyMilliseconds: 50, perSecond, isLimited: true };
    found.push({ perSecond, sending: await measureSending(world, workspaceId, rules, { warmSeconds: 2, seconds }) });
  }
  return found;
}

/** Campaigns have nine tenths of the account's rate. */
async function wholeOf(world: World, [people, perSecond]: readonly [number, number]): Promise<WholeFigures> {
  return measureWhole(world, await workspaceWith(world, people), Math.ceil(perSecond / 0.9));
}

async function feedbackOf(world: World, lists: readonly number[]): Promise<FeedbackOfList[]> {
  const workspaceId = await workspaceWith(world, 0);
  // What compiles and connects at the first batch is no matter of a list's length.
  await measureFeedback(world, workspaceId, 1000, 1000);
  const found: FeedbackOfList[] = [];
  for (const people of lists) found.push(await measureFeedback(world, workspaceId, people, 1000));
  return found;
}

interface CampaignFigures {
  readonly freeze: FrozenList;
  readonly speed: SendingFigures;
  readonly paced: readonly PacedSending[];
  readonly beside: BesideFigures;
  readonly whole: WholeFigures;
  readonly feedback: readonly FeedbackOfList[];
  readonly report: ReportFigures;
}

const rowsOf = ({ freeze, speed, paced, beside, whole, feedback, report }: CampaignFigures): Row[] => [
  ...freezeRows(freeze),
  speedRow(speed),
  hottestRow(speed),
  ...paced.map(pacedRow),
  ...besideRows(beside),
  ...wholeRows(whole),
  ...feedbackRows(feedback),
  reportRow(report),
];

/** Each call on its own would fill the report. */
const withoutCalls = (figures: CampaignFigures): unknown =>
  JSON.parse(
    JSON.stringify(figures, (name, value) => (name === 'calls' && Array.isArray(value) ? value.length : value)),
  );
