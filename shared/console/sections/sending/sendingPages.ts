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
    en: 'Within {seconds} seconds, messages stop leaving this deployment, in every workspace. API calls that send are refused and can be repeated later. Scheduled emails, campaigns and confirmations wait, and none is lost. Everything else continues: people can unsubscribe, and bounces, opens and other events of earlier messages are recorded.',
    fr: 'En {seconds} secondes, plus aucun message ne part de ce déploiement, quel que soit l’espace. Les appels d’API qui envoient sont refusés et peuvent être répétés plus tard. Les e-mails programmés, les campagnes et les confirmations attendent, et rien n’est perdu. Tout le reste continue\u00a0: les personnes peuvent se désabonner, et les rebonds, les ouvertures et les autres événements des messages déjà partis sont enregistrés.',
  },
  releases: {
    en: 'Everything that waits is sent, at the rate that SES allows. Campaigns and scheduled emails continue within two minutes, confirmations some minutes later.',
    fr: 'Tout ce qui attend part, au rythme que SES autorise. Les campagnes et les e-mails programmés reprennent en deux minutes, les confirmations quelques minutes plus tard.',
  },
  hold: { en: 'Hold all sending', fr: 'Bloquer tous les envois' },
  release: { en: 'Release all sending', fr: 'Débloquer tous les envois' },
  byPlatform: {
    en: 'Only an owner of all workspaces may do this: ask the people who run this deployment.',
    fr: 'Seul un propriétaire de tous les espaces peut le faire\u00a0: adressez-vous aux responsables de ce déploiement.',
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
