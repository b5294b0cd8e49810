import { type Text, text, textsOf } from '../language/text.ts';
import type { Route } from './route.ts';
import { accountRoute } from './routes/account.ts';
import { campaignStatsRoute, createCampaignRoute, listCampaignsRoute, sendCampaignRoute } from './routes/campaigns.ts';
import { getEmailRoute } from './routes/emailRecords.ts';
import { sendEmailRoute } from './routes/emails.ts';
import { deleteSubscriberRoute, listSubscribersRoute, upsertSubscriberRoute } from './routes/subscribers.ts';
import { addSuppressionRoute, listSuppressionRoute } from './routes/suppression.ts';

/** Hints for clients about the effect of a tool (MCP, `ToolAnnotations`). */
export interface Effect {
  readonly readOnly: boolean;
  /** Deletes, overwrites or cannot be undone. */
  readonly destructive: boolean;
  /** Repeating the call has no further effect. */
  readonly idempotent: boolean;
  /** Reaches people outside the workspace, or brings back text that they wrote. */
  readonly openWorld: boolean;
}

/** A tool of the MCP server: a call of one route, with its schemas and texts. */
export interface Tool {
  /** The name that clients call. It is never translated and never changes. */
  readonly name: string;
  readonly route: Route;
  readonly effect: Effect;
  /** Replace the texts of the route, where one route is two tools. */
  readonly title?: Text;
  readonly description?: Text;
  /** What an agent must know in addition to the description. */
  readonly advice?: Text;
  /** Fields of the body that the tool sets itself. Another value is refused with the message `otherwise`. */
  readonly fixed?: { readonly fields: Readonly<Record<string, unknown>>; readonly otherwise: Text };
  /** Fields of the body that the tool does not take: another tool does. */
  readonly without?: readonly string[];
  /** The status of the route's response that this tool gets, if there are several. */
  readonly status?: number;
  /** A header whose default is derived from the arguments, so that a repeated call counts once. */
  readonly keyedBy?: string;
  /** The argument that is the whole body, where the route takes a list. */
  readonly listArgument?: string;
  /** Arguments that another tool describes, by its name: their schemas are not repeated. */
  readonly sameAs?: Readonly<Record<string, string>>;
}

export const reads: Effect = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
/** Names, fields and addresses come from sign-up forms, diagnostics from the mail servers of recipients. */
export const readsOfStrangers: Effect = { ...reads, openWorld: true };

const texts = textsOf({
  sendEmail: {
    en: 'Irreversible: first show a person what will be sent and to whom, unless they have already approved it. Give every message its own `idempotency_key`. If you get no answer, repeat the call with the same key: the message is not sent twice. Without a key, the same arguments within 24 hours count as a repetition: nothing is sent, and you get the first answer with `idempotent_replay` set to `true`. To send the same message again on purpose, give a new key.',
    fr: 'Irréversible : montrez d’abord à une personne ce qui sera envoyé et à qui, sauf si elle l’a déjà approuvé. Donnez à chaque message sa propre `idempotency_key`. Si vous ne recevez pas de réponse, répétez l’appel avec la même clé : le message n’est pas envoyé deux fois. Sans clé, les mêmes arguments dans les 24 heures comptent comme une répétition : rien n’est envoyé, et vous recevez la première réponse avec `idempotent_replay` à `true`. Pour renvoyer volontairement le même message, donnez une nouvelle clé.',
  },
  addSubscriber: {
    en: 'Use `double_opt_in: false` only if the person’s consent is already on record. Otherwise they receive a confirmation message.',
    fr: 'N’utilisez `double_opt_in: false` que si le consentement de la personne est déjà enregistré. Sinon, elle reçoit un message de confirmation.',
  },
  createCampaign: {
    en: 'Check the `target` in the answer: without a segment, it is the whole list. Next, call `preview_campaign_send` with the `id` in the answer.',
    fr: 'Vérifiez la cible (`target`) dans la réponse : sans segment, c’est toute la liste. Appelez ensuite `preview_campaign_send` avec l’`id` de la réponse.',
  },
  preview: {
    en: 'Makes all checks of a real send and sends nothing. Reports whether the campaign would be sent (`would_send`), why not (`blocked_reason`) and to how many people; with `to`, also the outcome for each address. Call it before `send_campaign`, with the same `to`, and show the result to a person.',
    fr: 'Fait tous les contrôles d’un envoi réel et n’envoie rien. Indique si la campagne partirait (`would_send`), sinon pourquoi (`blocked_reason`), et à combien de personnes ; avec `to`, aussi le sort de chaque adresse. À appeler avant `send_campaign`, avec le même `to`, en montrant le résultat à une personne.',
  },
  send: {
    en: 'Irreversible. First call `preview_campaign_send` with the same `to`, and send only what a person has approved. Freezes the recipients and queues their messages: all active subscribers in the target of the campaign, or only those among the addresses in `to`. The answer has the number of queued messages. A campaign is sent once: a second call is refused (`conflict`). Follow it with `get_campaign_stats`.',
    fr: 'Irréversible. Appelez d’abord `preview_campaign_send` avec le même `to`, et n’envoyez que ce qu’une personne a approuvé. Fige les destinataires et met leurs messages en file : tous les abonnés actifs de la cible de la campagne, ou seulement ceux des adresses de `to`. La réponse donne le nombre de messages mis en file. Une campagne part une seule fois : un second appel est refusé (`conflict`). Suivez-la avec `get_campaign_stats`.',
  },
  isPreview: {
    en: 'is always true here: to send, call `send_campaign`',
    fr: 'vaut toujours true ici : pour envoyer, appelez `send_campaign`',
  },
  isSend: {
    en: 'is not a parameter of this tool: for a preview, call `preview_campaign_send`',
    fr: 'n’est pas un paramètre de cet outil : pour un aperçu, appelez `preview_campaign_send`',
  },
  blocks: {
    en: 'Irreversible: no tool removes an address from the suppression list.',
    fr: 'Irréversible : aucun outil ne retire une adresse de la liste d’exclusion.',
  },
});

/** The tools that every agent gets; `toolsets.ts` has those that it may ask for. */
export const tools: readonly Tool[] = [
  { name: 'get_account', route: accountRoute, effect: reads },
  {
    name: 'send_email',
    route: sendEmailRoute,
    effect: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    advice: texts.sendEmail,
    keyedBy: 'idempotency-key',
  },
  { name: 'get_email', route: getEmailRoute, effect: readsOfStrangers },
  { name: 'list_subscribers', route: listSubscribersRoute, effect: readsOfStrangers },
  {
    name: 'add_subscriber',
    route: upsertSubscriberRoute,
    // It overwrites fields, and may send another confirmation message.
    effect: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    advice: texts.addSubscriber,
  },
  {
    name: 'remove_subscriber',
    route: deleteSubscriberRoute,
    effect: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    advice: texts.blocks,
  },
  { name: 'list_suppression', route: listSuppressionRoute, effect: readsOfStrangers },
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
    title: text({ en: 'Check whether a campaign would be sent', fr: 'Vérifier si une campagne partirait' }),
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
