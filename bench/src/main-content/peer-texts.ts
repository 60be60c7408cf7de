import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type LabelSet, type MetadataLabel } from './label-sets.js';

/** What another program made of the pages: text and metadata by set and page. */
export interface Peer {
  readonly name: string;
  readonly textOf: (set: LabelSet, id: string) => string | null;
  readonly metadataOf: (set: LabelSet, id: string) => MetadataLabel;
}

/** Those of the folder `peers`, as ../../main-content/peers.py writes them; none without it. */
export async function readPeers(dir: string): Promise<readonly Peer[]> {
  const folder = path.join(dir, 'peers');
  const files = await readdir(folder).catch(() => []);
  return Promise.all(
    files
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map(async (file) => {
        const pages = new Map(
          Object.entries(fieldsOf(JSON.parse(await readFile(path.join(folder, file), 'utf8')))),
        );
        return peerOf(path.basename(file, '.json'), pages);
      }),
  );
}

function peerOf(name: string, pages: ReadonlyMap<string, unknown>): Peer {
  const pageOf = (set: LabelSet, id: string): Fields => fieldsOf(pages.get(`${set.name}/${id}`));
  return {
    name,
    textOf: (set, id) => pageOf(set, id).text ?? null,
    metadataOf: (set, id) => {
      const { title, author, date } = pageOf(set, id);
      return {
        ...(title ? { title } : {}),
        ...(author ? { author } : {}),
        ...(date ? { date } : {}),
      };
    },
  };
}

type Fields = Readonly<Record<string, string | undefined>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
