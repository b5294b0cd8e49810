import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dueDeliveryPartition, dueJobPartition, duePartitions } from '../../../../shared/store/table/keys.ts';
import { readSources } from '../../../architecture/importGraph.ts';

describe('the partitions of the index due', () => {
  it('are those of the table of kinds, and keep their names', () => {
    const partitions = duePartitions().map(({ partition }) => partition);
    expect(new Set(partitions).size).toBe(partitions.length);
    expect(partitions).toContain(dueDeliveryPartition('bulk', 3));
    expect([dueDeliveryPartition('bulk', 3), dueJobPartition]).toEqual(['DUE#BULKDELIVERY#3', 'DUE#JOB']);
  });

  it('are named by that table only', () => {
    const named = [...readSources()].filter(([path, source]) => !path.startsWith('test/') && /[`'"]DUE#/.test(source));
    expect(named.map(([path]) => path)).toEqual(['shared/store/table/keys.ts']);
    const keys = readFileSync(join(import.meta.dirname, '../../../../shared/store/table/keys.ts'), 'utf8');
    expect(keys.match(/[`'"]DUE#/g)).toHaveLength(2);
  });
});
