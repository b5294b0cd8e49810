import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { createId } from '../../shared/domain/identifier.ts';
import { aliasOf } from '../../shared/domain/person/erased.ts';
import type { Text } from '../../shared/language/text.ts';
import * as texts from '../../shared/pages/pageTexts.ts';
import { signUpsPerSource } from '../../shared/services/confirmations/signUp.ts';
import { setTopic } from '../../shared/services/topics.ts';
import { call } from '../acceptance/client.ts';
import { newWorkspace } from '../acceptance/workspace.ts';
import { operatorContext } from '../shared/services/context.ts';
import { postForm, type World, worldOf } from './world.ts';

/** One thing that a page can show, and how a person comes to see it. */
interface PageState {
  readonly name: string;
  readonly title: Text;
  reach(page: Page, world: World): Promise<void>;
}

const address = () => `person-${randomUUID()}@people.example`;
const press = (page: Page) => page.click('button[type=submit]');

async function signUp(page: Page, world: World, email: string): Promise<void> {
  await page.goto(world.formUrl);
  await page.fill('#email', email);
  await press(page);
}

/** Somebody who was added through the API and has not confirmed yet. */
async function pending(world: World): Promise<string> {
  const email = address();
  const service = { ...world.service, apiKey: world.workspace.apiKey };
  const answer = await call(service, 'POST', '/api/v1/subscribers', { body: { email } });
  if (answer.status !== 201) throw new Error(`The subscriber was not added: ${JSON.stringify(answer.body)}`);
  return email;
}

const notMe = (link: string) => link.replace('/confirm/', '/not-me/');
const declineLink = async (world: World) => notMe(await world.confirmationLink(await pending(world)));

/** The link that somebody who has declined had sent to them. */
async function returnLink(world: World): Promise<string> {
  const email = await pending(world);
  const link = notMe(await world.confirmationLink(email));
  await fetch(link, { method: 'POST' });
  await fetch(link, { method: 'POST', body: new URLSearchParams({ return: 'send' }) });
  return world.returnLink(email);
}

/** Four pixels of one colour. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGPokskGIgYIBQAaugOxTYF6kAAAAABJRU5ErkJggg==',
  'base64',
);

const preferencesOf = async (world: World, email: string): Promise<string> =>
  (await world.link('unsubscribe', { email })).replace('/unsubscribe/', '/preferences/');

/** Every state of every page that can be reached from outside. */
export const states: readonly PageState[] = [
  {
    name: 'confirm: the button',
    title: texts.confirmQuestion.title,
    reach: async (page, world) => {
      await page.goto(await world.confirmationLink(await pending(world)));
    },
  },
  {
    name: 'confirm: done',
    title: texts.confirmTexts.confirmed.title,
    reach: async (page, world) => {
      await page.goto(await world.confirmationLink(await pending(world)));
      await press(page);
    },
  },
  {
    name: 'confirm: used',
    title: texts.confirmTexts.already_confirmed.title,
    reach: async (page, world) => {
      const link = await world.confirmationLink(await pending(world));
      await page.goto(link);
      await press(page);
      await page.goto(link);
    },
  },
  {
    name: 'confirm: expired',
    title: texts.confirmTexts.expired.title,
    reach: async (page, world) => {
      const longAgo = new Date(Date.now() - 8 * 86_400_000);
      await page.goto(await world.link('confirm', { email: address(), confirmationId: 'old' }, longAgo));
    },
  },
  {
    name: 'confirm: tampered',
    title: texts.confirmTexts.tampered.title,
    reach: async (page, world) => {
      const link = await world.link('confirm', { email: address(), confirmationId: 'x' });
      await page.goto(link.slice(0, -3));
    },
  },
  {
    name: 'confirm: nobody',
    title: texts.confirmTexts.unknown.title,
    reach: async (page, world) => {
      await page.goto(await world.link('confirm', { email: address(), confirmationId: 'x' }));
    },
  },
  {
    name: 'confirm: replaced',
    title: texts.confirmTexts.refused.title,
    reach: async (page, world) => {
      await page.goto(await world.link('confirm', { email: await pending(world), confirmationId: 'another' }));
    },
  },
  {
    name: 'not me: the button',
    title: texts.declineQuestion.title,
    reach: async (page, world) => {
      await page.goto(await declineLink(world));
    },
  },
  {
    name: 'not me: done',
    title: texts.declineTexts.declined.title,
    reach: async (page, world) => {
      await page.goto(await declineLink(world));
      await press(page);
    },
  },
  {
    name: 'not me: a link is on its way',
    title: texts.declineTexts.asked.title,
    reach: async (page, world) => {
      await page.goto(await declineLink(world));
      await press(page);
      await page.click('button[name=return]');
    },
  },
  {
    name: 'not me: the link to return',
    title: texts.returnQuestion.title,
    reach: async (page, world) => {
      await page.goto(await returnLink(world));
    },
  },
  {
    name: 'not me: returned',
    title: texts.declineTexts.returned.title,
    reach: async (page, world) => {
      await page.goto(await returnLink(world));
      await press(page);
    },
  },
  {
    name: 'not me: tampered',
    title: texts.declineTexts.tampered.title,
    reach: async (page, world) => {
      await page.goto(`${await declineLink(world)}x`);
    },
  },
  {
    name: 'unsubscribe: the button',
    title: texts.unsubscribeQuestion.title,
    reach: async (page, world) => {
      await page.goto(await world.link('unsubscribe', { email: await pending(world) }));
    },
  },
  {
    name: 'unsubscribe: done',
    title: texts.unsubscribeTexts.unsubscribed.title,
    reach: async (page, world) => {
      await page.goto(await world.link('unsubscribe', { email: await pending(world) }));
      await press(page);
    },
  },
  {
    name: 'unsubscribe: the link of a confirmation',
    title: texts.unsubscribeTexts.tampered.title,
    reach: async (page, world) => {
      const link = await world.link('confirm', { email: address(), confirmationId: 'x' });
      await page.goto(link.replace('/confirm/', '/unsubscribe/'));
    },
  },
  {
    name: 'unsubscribe: no workspace',
    title: texts.unsubscribeTexts.unknown.title,
    reach: async (page, world) => {
      const workspaceId = createId('ws', new Date());
      await page.goto(await world.link('unsubscribe', { email: address(), workspaceId }));
    },
  },
  {
    name: 'unsubscribe: erased',
    title: texts.unsubscribeTexts.erased.title,
    reach: async (page, world) => {
      await page.goto(await world.link('unsubscribe', { email: aliasOf('0'.repeat(40)) }));
    },
  },
  {
    name: 'preferences: the choice',
    title: texts.preferencesQuestion.title,
    reach: async (page, world) => {
      await page.goto(await preferencesOf(world, await pending(world)));
    },
  },
  {
    name: 'preferences: saved, with a kind that was left',
    title: texts.preferencesSaved.title,
    reach: async (page, world) => {
      await setTopic(operatorContext(world.workspace.workspaceId), { tag: 'category:news', name: 'News & offers' });
      await page.goto(await preferencesOf(world, await pending(world)));
      await page.uncheck('#kind-0');
      await page.check('#untracked-opens');
      await press(page);
    },
  },
  {
    name: 'preferences: what is stored is on its way',
    title: texts.dataAsked.title,
    reach: async (page, world) => {
      await page.goto(await preferencesOf(world, await pending(world)));
      await page.click('button[name=data]');
    },
  },
  {
    name: 'preferences: tampered',
    title: texts.unsubscribeTexts.tampered.title,
    reach: async (page, world) => {
      await page.goto(`${await preferencesOf(world, address())}x`);
    },
  },
  {
    name: 'form: empty',
    title: texts.joinQuestion.title,
    reach: async (page, world) => {
      await page.goto(world.formUrl);
    },
  },
  {
    name: 'form: words of its own',
    title: texts.joinQuestion.title,
    reach: async (page, world) => {
      const own = await worldOf(world.service, await newWorkspace(world.service));
      const { setForm } = await import('../../shared/services/signUpForm.ts');
      const changes = {
        text: 'News of the shop, once a month.\nNothing else, and nobody else gets your address.',
        privacyUrl: 'https://www.example.com/privacy',
        fields: [
          { name: 'city', label: 'Where do you live?' },
          { name: 'size', label: 'Size', choices: ['S', 'M', 'L'] },
        ],
      };
      const { setBrand } = await import('../../shared/services/brand.ts');
      const context = operatorContext(own.workspace.workspaceId);
      await setForm(context, { changes });
      await setBrand(context, { changes: { color: '#8a1c6b', logo } });
      await page.goto(own.formUrl);
    },
  },
  {
    name: 'form: mistakes',
    title: texts.joinQuestion.title,
    reach: async (page, world) => {
      await page.goto(world.formUrl);
      await page.fill('#firstName', 'x'.repeat(101));
      await page.fill('#email', '"><script>alert(1)</script>');
      await press(page);
      await page.waitForSelector('#email-problem');
    },
  },
  {
    name: 'form: accepted',
    title: texts.joinTexts.accepted.title,
    reach: (page, world) => signUp(page, world, address()),
  },
  {
    name: 'form: no such form',
    title: texts.joinTexts.unknown.title,
    reach: async (page, world) => {
      await page.goto(`${world.service.baseUrl}/join/none-of-ours`);
    },
  },
  {
    name: 'form: no sender to confirm with',
    title: texts.joinTexts.unavailable.title,
    reach: async (page, world) => {
      const mute = await worldOf(world.service, await newWorkspace(world.service, { sender: false }));
      await signUp(page, mute, address());
    },
  },
  {
    name: 'form: too many sign-ups',
    title: texts.joinTexts.too_many.title,
    reach: async (page, world) => {
      const busy = await worldOf(world.service, await newWorkspace(world.service));
      const flood = Array.from({ length: signUpsPerSource.max }, () => postForm(busy.formUrl, { email: address() }));
      await Promise.all(flood);
      await signUp(page, busy, address());
    },
  },
  {
    name: 'form: far too much',
    title: texts.tooLargeTexts.title,
    reach: (page, world) => signUp(page, world, 'x'.repeat(20_000)),
  },
];
