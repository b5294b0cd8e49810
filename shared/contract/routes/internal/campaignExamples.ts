/** The campaign of the examples. */

export const id = 'camp_01k9zq3v5c8r2m4n6p7s9t0wxy';

export const summary = {
  id,
  name: 'Autumn news',
  subject: '{{firstName|Hello}}, autumn is here',
  status: 'sending',
  kind: 'regular',
  fromName: 'Acme',
  fromEmail: 'news@example.com',
  sentAt: null,
  scheduledAt: null,
  updatedAt: '2026-11-21T10:31:00.000Z',
};
export const counts = {
  recipients: 1197,
  delivered: 780,
  opened: 310,
  clicked: 95,
  bounced: 4,
  complained: 0,
  unsubscribed: 2,
};
export const rates = { delivered: 0.6516, opened: 0.3974, clicked: 0.1218, bounced: 0.0033 };

export const wholeList = { segment: null, topic: null };
export const target = { segment: { id: 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy', name: 'Paris' }, topic: null };

export const campaignExample = {
  object: 'campaign',
  ...summary,
  preheader: 'What we made for you',
  segment_id: null,
  tag: null,
  topic_id: null,
  created_at: '2026-11-21T10:30:00.000Z',
  progress: {
    queued: 1200,
    sent: 800,
    skipped: 3,
    failed: 1,
    uncertain: 0,
    waiting: 396,
    paused: false,
    reason: null,
    rate: 12.6,
    started_at: '2026-11-21T10:30:30.000Z',
    estimated_end: '2026-11-21T10:32:00.000Z',
  },
  counts,
  rates,
};

export const detailExample = {
  ...campaignExample,
  from: 'Acme <news@example.com>',
  reply_to: null,
  track: {},
  target: wholeList,
  revision: 0,
  text: 'Hello {{firstName|there}}',
  content: null,
  html: null,
  plain_text: null,
  ab_test: null,
  schedule_failure: null,
};

/** The same before it is sent. */
export const draftExample = {
  ...detailExample,
  status: 'draft',
  progress: null,
  counts: { recipients: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0 },
  rates: { delivered: null, opened: null, clicked: null, bounced: null },
};
