import { createRequire } from 'node:module';
import type * as Zod from 'zod';

/** Made for the first map: only administrators import, and loading zod takes a start 0.1 s. */
function importMapSchema() {
  const { z } = createRequire(import.meta.url)('zod') as typeof Zod;
  /** Columns of a file by the field they fill; a path with dots in NDJSON. Several: the first that is not empty. */
  const column = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

  const fields = {
    name: column,
    description: column.optional(),
    website: column.optional(),
    street: column.optional(),
    city: column.optional(),
    state: column.optional(),
    zip: column.optional(),
    country: column.optional(),
    phone: column.optional(),
    email: column.optional(),
    uei: column.optional(),
    license: column.optional(),
    naics: column.optional(),
    industry: column.optional(),
    employees: column.optional(),
    revenue: column.optional(),
  };
  return z.strictObject({
    /** Name of the source: evidence of the same source and row replaces what it stated before. */
    source: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
    fields: z.strictObject(fields),
    /** How sure the source is, above 0 and at most 1. */
    confidence: z.number().gt(0).max(1).default(0.8),
    /** Country of rows that name none, ISO 3166-1 alpha-2. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
    /** State of all licenses, if no column names it. */
    state: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
    /** Rows with these values only, by column. */
    only: z.record(z.string(), z.array(z.string())).default({}),
  });
}

/** How the rows of a file become facts. */
export type ImportMap = Zod.output<ReturnType<typeof importMapSchema>>;
export type ImportField = keyof ImportMap['fields'];

/** Maps of public files. */
export const READY_MAPS: Readonly<Record<string, unknown>> = {
  /** GLEIF level 1, "golden copy" CSV: legal entities of the world. */
  gleif: {
    source: 'gleif',
    confidence: 0.9,
    only: { 'Entity.EntityStatus': ['ACTIVE'] },
    fields: {
      name: 'Entity.LegalName',
      street: 'Entity.HeadquartersAddress.FirstAddressLine',
      city: 'Entity.HeadquartersAddress.City',
      state: 'Entity.HeadquartersAddress.Region',
      zip: 'Entity.HeadquartersAddress.PostalCode',
      country: 'Entity.HeadquartersAddress.Country',
    },
  },
  /** SAM.gov public entity extract with a header line. */
  sam: {
    source: 'sam',
    confidence: 0.9,
    fields: {
      name: ['DBA NAME', 'LEGAL BUSINESS NAME'],
      website: 'ENTITY URL',
      street: 'PHYSICAL ADDRESS LINE 1',
      city: 'PHYSICAL ADDRESS CITY',
      state: 'PHYSICAL ADDRESS PROVINCE OR STATE',
      zip: 'PHYSICAL ADDRESS ZIP/POSTAL CODE',
      country: 'PHYSICAL ADDRESS COUNTRY CODE',
      uei: 'UNIQUE ENTITY ID',
      naics: 'PRIMARY NAICS',
    },
  },
  /** A list of licenses as US states publish them. */
  license: {
    source: 'license',
    confidence: 0.85,
    country: 'US',
    fields: {
      name: ['Business Name', 'BusinessName', 'Name'],
      street: ['Address', 'Street', 'Mailing Address'],
      city: 'City',
      state: 'State',
      zip: ['Zip', 'ZIP Code', 'Zip Code'],
      phone: ['Phone', 'Business Phone', 'Phone Number'],
      license: ['License Number', 'LicenseNo', 'License No', 'License'],
    },
  },
};

/** @throws Error that names the field and the rule */
export function parseImportMap(value: unknown): ImportMap {
  const parsed = importMapSchema().safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') || 'the map'}: ${issue?.message ?? 'invalid'}`);
}
