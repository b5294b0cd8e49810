import { health } from '../../shared/http/plain/health.ts';

export const handler = health;
