export { handler } from './webhookDelivery.ts';
