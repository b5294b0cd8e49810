// @ts-check
import { findAll } from './dom.js';

const { lang } = document.documentElement;
const locale = lang === 'en' ? 'en-GB' : lang;
const shortFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const exactFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });

/**
 * Shows times in the reader's time zone. The title of each has the exact time, there and as it is stored.
 * @param {ParentNode} root
 */
export function showTimes(root) {
  for (const element of findAll(root, 'time[data-local]', HTMLTimeElement)) {
    const time = new Date(element.dateTime);
    element.title = `${exactFormat.format(time)} (${element.dateTime})`;
    element.textContent = shortFormat.format(time);
  }
}
