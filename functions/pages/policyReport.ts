import { policyReport } from '../../shared/http/policyReport.ts';

export const handler = policyReport;
