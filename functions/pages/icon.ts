import { icon } from '../../shared/http/plain/icon.ts';

export const handler = icon;
