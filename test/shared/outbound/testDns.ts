import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const types = { A: 1, MX: 15, AAAA: 28 } as const;
const codes = { none: 0, failure: 2, absent: 3 } as const;

interface Answer {
  readonly code: keyof typeof codes;
  /** The data of the one record. */
  readonly data?: readonly number[];
}

/** The domains that it knows; `late` gets no answer at all. Whatever else there is, is not there. */
const zone: Readonly<Record<string, Partial<Record<keyof typeof types, Answer>> | 'late'>> = {
  'mx.example': { MX: { code: 'none', data: [0, 10, 2, 109, 120, 0] } },
  'null-mx.example': { MX: { code: 'none', data: [0, 0, 0] } },
  'a.example': { MX: { code: 'none' }, A: { code: 'none', data: [192, 0, 2, 1] }, AAAA: { code: 'none' } },
  'aaaa.example': { MX: { code: 'none' }, A: { code: 'none' }, AAAA: { code: 'none', data: Array(16).fill(1) } },
  'web.example': { MX: { code: 'none' }, A: { code: 'none' }, AAAA: { code: 'none' } },
  'broken.example': { MX: { code: 'failure' } },
  'half.example': { MX: { code: 'none' }, A: { code: 'none' }, AAAA: { code: 'failure' } },
  'late.example': 'late',
};

/** A DNS server (RFC 1035) with the zone above. */
export async function startDns(): Promise<{ readonly address: string; stop(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, client) => {
    const { name, type, end } = questionOf(query);
    const known = zone[name];
    if (known === 'late') return;
    const { code, data } = known ? (known[type] ?? { code: 'none' }) : ({ code: 'absent' } as Answer);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | codes[code], 2);
    header.writeUInt16BE(data ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const record = data ? [0xc0, 12, 0, types[type], 0, 1, 0, 0, 0, 60, 0, data.length, ...data] : [];
    socket.send(Buffer.concat([header, query.subarray(12, end), Buffer.from(record)]), client.port, client.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() };
}

function questionOf(query: Buffer): { name: string; type: keyof typeof types; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  const asked = query.readUInt16BE(at + 1);
  const type = (Object.keys(types) as (keyof typeof types)[]).find((name) => types[name] === asked) ?? 'A';
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}
