/** What the provider tells of a message's readers. */
export interface Tracking {
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** What a caller says of one message; what it leaves out is as the workspace has it. */
export interface TrackingWish {
  readonly opens?: boolean | undefined;
  readonly clicks?: boolean | undefined;
}

/** Of somebody who has agreed to nothing yet. */
export const untracked: Tracking = { opens: false, clicks: false };

/** How a message is tracked: as it says itself, else as its workspace does. */
export function trackingOf(
  { trackOpens, trackClicks }: { readonly trackOpens: boolean; readonly trackClicks: boolean },
  wish: TrackingWish = {},
): Tracking {
  return { opens: wish.opens ?? trackOpens, clicks: wish.clicks ?? trackClicks };
}
