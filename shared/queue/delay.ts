/** SQS takes delays of 15 minutes at most. */
export const longestDelaySeconds = 900;
