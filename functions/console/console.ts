import { handleConsole } from '../../shared/http/console/handler.ts';

export const handler = handleConsole;
