import { textsOf } from '../../../language/text.ts';
import { html } from '../../../pages/html.ts';
import { holdSending, releaseSending } from '../../../services/changeSendingHold.ts';
import { heldWithinSeconds } from '../../../services/sendingHold.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, deploymentOf, may, redirect } from '../../call.ts';
import { confirmationPage } from '../../layout/confirmationPage.ts';
import { cardOf } from '../../layout/elements.ts';
import { layoutTexts } from '../../layout/layoutTexts.ts';
import { pageOf } from '../../layout/page.ts';
import { pathOf, sendingPath } from '../../paths.ts';

const texts = textsOf({
  title: { en: 'All sending', fr: 'Tous les envois' },
  holds: {
    en: `{seconds} seconds later no message leaves this deployment any more, whatever the workspace. Calls that send are told to come back; scheduled emails, campaigns and confirmations wait, and nothing of them is lost. Everything else goes on: people can leave, and what happens to earlier messages is recorded.`,
    fr: `{seconds} secondes plus tard, plus aucun message ne quitte ce déploiement, quel que soit l’espace. Les appels d’envoi sont invités à revenir ; e-mails programmés, campagnes et confirmations attendent, sans que rien ne soit perdu. Tout le reste continue : les personnes peuvent se désabonner, et le devenir des messages déjà partis est enregistré.`,
  },
  releases: {
    en: 'Everything that waited goes out, at the rate that the provider allows. Campaigns and scheduled emails go on within two minutes, confirmations within some more.',
    fr: 'Tout ce qui attendait part, à la cadence que le prestataire permet. Campagnes et e-mails programmés reprennent en deux minutes, les confirmations en quelques minutes de plus.',
  },
  hold: { en: 'Hold all sending', fr: 'Retenir tous les envois' },
  release: { en: 'Release all sending', fr: 'Relancer tous les envois' },
  byPlatform: {
    en: 'Only an owner of all workspaces decides this: ask the people who run this deployment.',
    fr: 'Seul un propriétaire de tous les espaces en décide\u00a0: adressez-vous aux responsables de ce déploiement.',
  },
});

/** What a hold means; owners of all workspaces can begin and end one. */
async function showSendingPage(call: ConsoleCall): Promise<ConsoleReply> {
  const { language, sending } = call;
  const what = sending.isHeld ? texts.releases : texts.holds;
  const said = what[language].replace('{seconds}', String(heldWithinSeconds));
  const head = {
    section: 'overview',
    parent: { label: layoutTexts.overview[language], path: '' },
    title: texts.title[language],
  } as const;
  if (!may(call, 'platform')) {
    const meaning = texts.holds[language].replace('{seconds}', String(heldWithinSeconds));
    return pageOf(call, {
      ...head,
      body: cardOf(null, html`<p>${meaning}</p><p>${texts.byPlatform[language]}</p>`),
    });
  }
  return confirmationPage(call, {
    ...head,
    what: [said],
    button: sending.isHeld ? texts.release : texts.hold,
    action: `${sendingPath}/${sending.isHeld ? 'release' : 'hold'}`,
  });
}

async function hold(call: ConsoleCall): Promise<ConsoleReply> {
  await holdSending(deploymentOf(call), {});
  return redirect(pathOf(call, '', { done: 'sendingHeld' }));
}

async function release(call: ConsoleCall): Promise<ConsoleReply> {
  await releaseSending(deploymentOf(call));
  return redirect(pathOf(call, '', { done: 'sendingReleased' }));
}

export const sendingPages: readonly ConsolePage[] = [
  { method: 'GET', path: sendingPath, verb: showSendingPage },
  { method: 'POST', path: `${sendingPath}/hold`, needs: 'platform', verb: hold },
  { method: 'POST', path: `${sendingPath}/release`, needs: 'platform', verb: release },
];
