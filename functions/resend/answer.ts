import { answerResendClient } from '../../shared/resend/endpoint.ts';

export const handler = answerResendClient;
