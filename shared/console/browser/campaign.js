// @ts-check
// The pages of one campaign.
import './deferred.js';
import './live.js';
