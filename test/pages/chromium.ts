import { existsSync } from 'node:fs';

/** The shell is the same browser without what only a window needs: a page and its context take it half the processor. */
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** A Chromium of this machine, if it has one. */
export const chromiumPath = [process.env.CHROMIUM ?? '', ...places].find((path) => path !== '' && existsSync(path));
