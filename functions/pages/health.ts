import { health } from '../../shared/http/health.ts';

export const handler = health;
