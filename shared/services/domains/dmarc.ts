import { setTimeout as sleep } from 'node:timers/promises';
import { dmarcNames, dmarcRecord } from '../../domain/dns/domainRecords.ts';
import { checkDmarc, type RecordCheck } from '../../domain/dns/recordCheck.ts';
import { dnsRecords } from '../../outbound/dnsRecords.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

/** Somebody waits for the page: DNS that takes longer has not answered. */
const patienceMilliseconds = 1000;

/** What DNS has of a domain's DMARC policy, as the domain's own page tells it. */
export async function readDmarc(context: Context, { domain }: { readonly domain: string }): Promise<RecordCheck> {
  requireOperator(context, 'read');
  const wanted = dmarcRecord(domain);
  const ask = dnsRecords();
  const silent = sleep(patienceMilliseconds, [{ name: wanted.name, values: null }], { ref: false });
  const answers = Promise.all(dmarcNames(domain).map((name) => ask('TXT', name)));
  return checkDmarc(wanted, await Promise.race([answers, silent]));
}
