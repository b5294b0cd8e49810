import * as z from 'zod';
import type { SesDatabase } from '../database.ts';
import { badRequest, notFound, SesError } from '../errors.ts';

/** Event types of event destinations, with the `eventType` of the published JSON. */
const eventTypes = {
  SEND: 'Send',
  REJECT: 'Reject',
  BOUNCE: 'Bounce',
  COMPLAINT: 'Complaint',
  DELIVERY: 'Delivery',
  OPEN: 'Open',
  CLICK: 'Click',
  RENDERING_FAILURE: 'Rendering Failure',
  DELIVERY_DELAY: 'DeliveryDelay',
  SUBSCRIPTION: 'Subscription',
} as const;
type MatchingEventType = keyof typeof eventTypes;
export type EventType = Exclude<(typeof eventTypes)[MatchingEventType], 'Subscription'>;

export const eventDestinationSchema = z.looseObject({
  Enabled: z.boolean().optional(),
  MatchingEventTypes: z
    .array(z.enum(Object.keys(eventTypes) as [MatchingEventType, ...MatchingEventType[]]))
    .optional(),
  SnsDestination: z.looseObject({ TopicArn: z.string() }).optional(),
});
export type EventDestination = z.infer<typeof eventDestinationSchema>;

const nameRule = /^[A-Za-z0-9_-]{1,64}$/;

export function createConfigurationSet(database: SesDatabase, name: string, options: object, now: number): void {
  if (!nameRule.test(name)) throw badRequest(`Configuration set name <${name}> is not valid.`);
  if (exists(database, name)) {
    throw new SesError('AlreadyExistsException', `Configuration set <${name}> already exists.`);
  }
  const row = JSON.stringify(options);
  database.run('INSERT INTO configuration_sets (name, options, created_at) VALUES (?, ?, ?)', name, row, now);
}

/** The options of its creation. Throws NotFoundException. */
export function requireConfigurationSet(database: SesDatabase, name: string): Record<string, unknown> {
  return database.remember(`set ${name}`, () => readConfigurationSet(database, name));
}

function readConfigurationSet(database: SesDatabase, name: string): Record<string, unknown> {
  const row = database.get('SELECT options FROM configuration_sets WHERE name = ?', name);
  if (!row) throw notFound(`Configuration set <${name}> does not exist.`);
  return JSON.parse(String(row.options));
}

export function putConfigurationSetOption(database: SesDatabase, name: string, option: string, value: unknown): void {
  const options = { ...requireConfigurationSet(database, name), [option]: value };
  database.run('UPDATE configuration_sets SET options = ? WHERE name = ?', JSON.stringify(options), name);
  database.forget();
}

export function deleteConfigurationSet(database: SesDatabase, name: string): void {
  requireConfigurationSet(database, name);
  database.transaction(() => {
    database.run('DELETE FROM event_destinations WHERE configuration_set = ?', name);
    database.run('DELETE FROM configuration_sets WHERE name = ?', name);
  });
  database.forget();
}

export function listConfigurationSets(database: SesDatabase): string[] {
  return database.all('SELECT name FROM configuration_sets ORDER BY name').map((row) => String(row.name));
}

export function createEventDestination(database: SesDatabase, set: string, name: string, to: EventDestination): void {
  requireConfigurationSet(database, set);
  if (!nameRule.test(name)) throw badRequest(`Event destination name <${name}> is not valid.`);
  if (eventDestinations(database, set).some((known) => known.name === name)) {
    throw new SesError('AlreadyExistsException', `An event destination with name ${name} already exists.`);
  }
  putEventDestination(database, set, name, to);
}

export function updateEventDestination(database: SesDatabase, set: string, name: string, to: EventDestination): void {
  requireEventDestination(database, set, name);
  putEventDestination(database, set, name, to);
}

export function deleteEventDestination(database: SesDatabase, set: string, name: string): void {
  requireEventDestination(database, set, name);
  database.run('DELETE FROM event_destinations WHERE configuration_set = ? AND name = ?', set, name);
  database.forget();
}

export function eventDestinations(
  database: SesDatabase,
  set: string,
): { name: string; definition: EventDestination }[] {
  const rows = database.all('SELECT name, definition FROM event_destinations WHERE configuration_set = ?', set);
  return rows.map((row) => ({ name: String(row.name), definition: JSON.parse(String(row.definition)) }));
}

/** The topics of an event; none without a configuration set or a matching destination. */
export function topicsFor(database: SesDatabase, set: string | null, type: EventType): string[] {
  if (set === null) return [];
  return database.remember(`topics ${set} ${type}`, () => readTopics(database, set, type));
}

function readTopics(database: SesDatabase, set: string, type: EventType): string[] {
  return eventDestinations(database, set).flatMap(({ definition }) => {
    const matches = definition.MatchingEventTypes?.some((name) => eventTypes[name] === type);
    return definition.Enabled && matches && definition.SnsDestination ? [definition.SnsDestination.TopicArn] : [];
  });
}

function exists(database: SesDatabase, name: string): boolean {
  return database.get('SELECT 1 FROM configuration_sets WHERE name = ?', name) !== undefined;
}

function putEventDestination(database: SesDatabase, set: string, name: string, to: EventDestination): void {
  if (!to.SnsDestination) throw badRequest('The local SES publishes to SNS only: SnsDestination is required.');
  if (!to.MatchingEventTypes?.length) throw badRequest('MatchingEventTypes must not be empty.');
  const definition = JSON.stringify({ Enabled: false, ...to });
  database.run(
    'INSERT OR REPLACE INTO event_destinations (configuration_set, name, definition) VALUES (?, ?, ?)',
    set,
    name,
    definition,
  );
  database.forget();
}

function requireEventDestination(database: SesDatabase, set: string, name: string): void {
  requireConfigurationSet(database, set);
  if (!eventDestinations(database, set).some((known) => known.name === name)) {
    throw notFound(`Event destination <${name}> does not exist.`);
  }
}
