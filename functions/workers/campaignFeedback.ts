export { handler } from './feedback.ts';
