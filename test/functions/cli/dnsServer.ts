import dns2 from 'dns2';

const { Packet } = dns2;

export interface Zone {
  readonly [name: string]: { readonly CNAME?: string; readonly MX?: [number, string][]; readonly TXT?: string[] };
}

/** A DNS server on loopback with the records of a zone; other names do not exist. With null it never responds. */
export async function startDns() {
  let zone: Zone | null = {};
  const server = dns2.createUDPServer((request, send) => {
    const [question] = request.questions;
    if (!zone || !question) return;
    const response = Packet.createResponseFromRequest(request);
    const records = zone[question.name.toLowerCase()];
    if (!records) response.header.rcode = 3;
    response.answers.push(
      ...answersOf(question.name, question.type, records).map((answer) => new Packet.Resource(answer)),
    );
    send(response);
  });
  await server.listen(0, '127.0.0.1');
  const { port } = server.address() as { port: number };
  return {
    address: `127.0.0.1:${port}`,
    publish: (records: Zone | null) => {
      zone = records;
    },
    stop: () => server.close(),
  };
}

function answersOf(name: string, type: number | undefined, { CNAME, MX, TXT }: Zone[string] = {}) {
  const own = { name, class: Packet.CLASS.IN, ttl: 60 };
  if (type === Packet.TYPE.CNAME && CNAME) return [{ ...own, type, domain: CNAME }];
  if (type === Packet.TYPE.MX) return (MX ?? []).map(([priority, exchange]) => ({ ...own, type, priority, exchange }));
  if (type === Packet.TYPE.TXT) return (TXT ?? []).map((data) => ({ ...own, type, data }));
  return [];
}
