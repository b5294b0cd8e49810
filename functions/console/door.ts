import { consoleDoor } from '../../shared/http/console/door.ts';

export const handler = consoleDoor;
