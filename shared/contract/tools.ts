import { type Text, text, textsOf } from '../language/text.ts';
import type { Route } from './route.ts';
import { accountRoute } from './routes/account.ts';
import { campaignStatsRoute, createCampaignRoute, listCampaignsRoute, sendCampaignRoute } from './routes/campaigns.ts';
import { getEmailRoute } from './routes/emailRecords.ts';
import { sendEmailRoute } from './routes/emails.ts';
import { deleteSubscriberRoute, listSubscribersRoute, upsertSubscriberRoute } from './routes/subscribers.ts';
import { addSuppressionRoute, listSuppressionRoute } from './routes/suppression.ts';

/** What a client may believe of a tool before it asks a person (MCP, `ToolAnnotations`). */
interface Effect {
  readonly readOnly: boolean;
  /** Takes away or overwrites, or cannot be taken back. */
  readonly destructive: boolean;
  /** The same call once more changes nothing more. */
  readonly idempotent: boolean;
  /** Reaches people outside the workspace. */
  readonly openWorld: boolean;
}

/** A tool of the MCP server: a call of one route, whose schemas and texts it shows. */
export interface Tool {
  /** What clients call; never translated, and never changed. */
  readonly name: string;
  readonly route: Route;
  readonly effect: Effect;
  /** Where one route is two tools, each has a title and a description of its own. */
  readonly title?: Text;
  readonly description?: Text;
  /** What an agent must know besides what the route says. */
  readonly advice?: Text;
  /** Fields of the body that the tool itself decides. Another value is refused; `otherwise` says where it belongs. */
  readonly fixed?: { readonly fields: Readonly<Record<string, unknown>>; readonly otherwise: Text };
  /** The response of the route that this tool gets, where there are several. */
  readonly status?: number;
  /** A header of the route that is made of the arguments when none is given, so that the same call counts once. */
  readonly keyedBy?: string;
}

const reads: Effect = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

const texts = textsOf({
  sendEmail: {
    en: 'Irreversible: show a person what goes to whom first, unless they have said so already. Give every message an `idempotency_key` of its own and keep it when you repeat a call whose answer you did not get: nothing is then sent twice. Without one, the same arguments within 24 hours count as a repetition: nothing is sent, the answer is that of the first call, and its `idempotent_replay` is `true`. To send the same message once more on purpose, give a new key.',
    fr: 'Irréversible : montrez d’abord à une personne ce qui part et à qui, sauf si elle l’a déjà approuvé. Donnez à chaque message une `idempotency_key` propre et gardez-la quand vous répétez un appel dont la réponse n’est pas arrivée : rien n’est alors envoyé deux fois. Sans elle, les mêmes arguments dans les 24 heures comptent comme une répétition : rien n’est envoyé, la réponse est celle du premier appel, et son `idempotent_replay` vaut `true`. Pour renvoyer volontairement le même message, donnez une nouvelle clé.',
  },
  addSubscriber: {
    en: 'Use `double_opt_in: false` only when the person’s consent is already on record: without it a confirmation message goes to them.',
    fr: 'N’utilisez `double_opt_in: false` que si le consentement de la personne est déjà enregistré : sans ce champ, un message de confirmation lui est envoyé.',
  },
  createCampaign: {
    en: 'Then call `preview_campaign_send` with the `id` of the answer.',
    fr: 'Appelez ensuite `preview_campaign_send` avec l’`id` de la réponse.',
  },
  preview: {
    en: 'Does every check of a real send and sends nothing: says whether the campaign would go out (`would_send`), why not (`blocked_reason`), and to how many people; with `to`, what becomes of each address. Call it before `send_campaign`, with the same `to`, and show the result to a person.',
    fr: 'Fait tous les contrôles d’un envoi réel et n’envoie rien : dit si la campagne partirait (`would_send`), sinon pourquoi (`blocked_reason`), et à combien de personnes ; avec `to`, ce que devient chaque adresse. À appeler avant `send_campaign`, avec le même `to`, en montrant le résultat à une personne.',
  },
  send: {
    en: 'Irreversible. Call `preview_campaign_send` first, with the same `to`, and send only what a person has approved. Freezes the recipients and fills the queue: all active subscribers of the campaign’s target when `to` is left out, else only those among the addresses in `to`. The answer names what was queued; a campaign is sent once, and a second call is refused (`conflict`). Follow it with `get_campaign_stats`.',
    fr: 'Irréversible. Appelez d’abord `preview_campaign_send`, avec le même `to`, et n’envoyez que ce qu’une personne a approuvé. Fige les destinataires et remplit la file : tous les abonnés actifs de la cible de la campagne si `to` est absent, sinon seulement ceux des adresses de `to`. La réponse dit ce qui a été mis en file ; une campagne part une seule fois, et un second appel est refusé (`conflict`). Suivez-la avec `get_campaign_stats`.',
  },
  isPreview: {
    en: 'is always true here: to send, call `send_campaign`',
    fr: 'vaut toujours true ici : pour envoyer, appelez `send_campaign`',
  },
  isSend: {
    en: 'is not a parameter of this tool: to see what would happen, call `preview_campaign_send`',
    fr: 'n’est pas un paramètre de cet outil : pour voir ce qui se passerait, appelez `preview_campaign_send`',
  },
  blocks: {
    en: 'Irreversible: no tool takes an address off the suppression list.',
    fr: 'Irréversible : aucun outil ne retire une adresse de la liste d’exclusion.',
  },
});

/** The tools of the MCP server. */
export const tools: readonly Tool[] = [
  { name: 'get_account', route: accountRoute, effect: reads },
  {
    name: 'send_email',
    route: sendEmailRoute,
    effect: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    advice: texts.sendEmail,
    keyedBy: 'idempotency-key',
  },
  { name: 'get_email', route: getEmailRoute, effect: reads },
  { name: 'list_subscribers', route: listSubscribersRoute, effect: reads },
  {
    name: 'add_subscriber',
    route: upsertSubscriberRoute,
    // What is given replaces what was there, and a confirmation that is due again is sent again.
    effect: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    advice: texts.addSubscriber,
  },
  {
    name: 'remove_subscriber',
    route: deleteSubscriberRoute,
    effect: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    advice: texts.blocks,
  },
  { name: 'list_suppression', route: listSuppressionRoute, effect: reads },
  {
    name: 'add_suppression',
    route: addSuppressionRoute,
    effect: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    advice: texts.blocks,
  },
  { name: 'list_campaigns', route: listCampaignsRoute, effect: reads },
  {
    name: 'create_campaign',
    route: createCampaignRoute,
    effect: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    advice: texts.createCampaign,
  },
  {
    name: 'preview_campaign_send',
    route: sendCampaignRoute,
    effect: reads,
    title: text({ en: 'See whether a campaign would go out', fr: 'Voir si une campagne partirait' }),
    description: texts.preview,
    fixed: { fields: { dry_run: true }, otherwise: texts.isPreview },
    status: 200,
  },
  {
    name: 'send_campaign',
    route: sendCampaignRoute,
    effect: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
    title: text({ en: 'Send a campaign', fr: 'Envoyer une campagne' }),
    description: texts.send,
    fixed: { fields: { dry_run: false }, otherwise: texts.isSend },
    status: 202,
  },
  { name: 'get_campaign_stats', route: campaignStatsRoute, effect: reads },
];
