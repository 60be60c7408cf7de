import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FitsOneOf, SENT } from '../../http/alternatives.js';
import { MAX_REQUEST_URL_CHARS, StateField, TextField } from '../../http/fields.js';
import { SocialView } from '../enrich/enrich-result.dto.js';

const MAX_NAME_CHARS = 300;
const MAX_KEY_CHARS = 40;

/** Body of POST /v1/resolve. */
@FitsOneOf(
  ...['domain', 'email', 'name'].map((name) => ({
    required: [name],
    properties: { [name]: SENT },
  })),
)
export class ResolveRequest {
  @TextField({
    description:
      'The strongest key: a domain (`example.com`) or any URL of the company. A company that is not known yet is read from this site.',
    maxChars: MAX_REQUEST_URL_CHARS,
    example: 'example.com',
  })
  domain?: string;

  @TextField({
    description: 'Counts as its domain, unless that is the domain of a mailbox provider.',
    maxChars: MAX_NAME_CHARS + MAX_KEY_CHARS,
  })
  email?: string;

  @TextField({ description: 'Best with `state` or `zip`.', maxChars: MAX_NAME_CHARS })
  name?: string;

  @StateField()
  state?: string;

  @TextField({ description: 'Postal code.', maxChars: MAX_KEY_CHARS })
  zip?: string;

  @TextField({
    description: 'A further key: phone number with country code; without one that of the US.',
    maxChars: MAX_KEY_CHARS,
  })
  phone?: string;

  @TextField({
    description: 'A further key: Unique Entity ID of SAM.gov.',
    maxChars: MAX_KEY_CHARS,
  })
  uei?: string;

  @TextField({
    description: 'A further key: license number, of `state`.',
    maxChars: MAX_KEY_CHARS,
  })
  license?: string;
}

export class CompanyIndustryView {
  @ApiProperty({ description: 'NAICS 2022 code.' })
  naics: string;
  @ApiProperty()
  title: string;
}

export class CompanyLocationView {
  @ApiProperty({ type: String, nullable: true })
  city: string | null;
  @ApiProperty({ type: String, nullable: true })
  state: string | null;
  @ApiProperty({ type: String, nullable: true })
  zip: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'ISO 3166-1 alpha-2.' })
  country: string | null;
}

/** Response of POST /v1/resolve. Facts without evidence are null. */
export class ResolveResult {
  @ApiProperty({ description: 'False: see `error`.' })
  resolved: boolean;
  @ApiPropertyOptional({
    description: 'Why there is no company; the other fields are absent then.',
  })
  error?: string;
  @ApiPropertyOptional({ type: String, nullable: true })
  domain?: string | null;
  @ApiPropertyOptional({ type: String, nullable: true })
  name?: string | null;
  @ApiPropertyOptional({ type: String, nullable: true })
  description?: string | null;
  @ApiPropertyOptional({ type: String, nullable: true, format: 'uri' })
  logo?: string | null;
  @ApiPropertyOptional({ type: CompanyIndustryView, nullable: true })
  industry?: CompanyIndustryView | null;
  @ApiPropertyOptional({ type: SocialView })
  socials?: SocialView;
  @ApiPropertyOptional({ type: [String] })
  tech_stack?: readonly string[];
  @ApiPropertyOptional({ type: CompanyLocationView, nullable: true })
  location?: CompanyLocationView | null;
  @ApiPropertyOptional({ type: String, nullable: true, description: 'E.164.' })
  phone?: string | null;
  @ApiPropertyOptional({ type: String, nullable: true, description: 'Of a desk, such as info@.' })
  email?: string | null;
  @ApiPropertyOptional({ type: String, nullable: true, example: '11-50' })
  employee_band?: string | null;
  @ApiPropertyOptional({ type: String, nullable: true, example: '1M-10M' })
  revenue_band?: string | null;
  @ApiPropertyOptional({
    description:
      'The key that found it in the graph (`domain`, `uei`, `license`, `phone`, `name`, `name+state`, `name+zip`, `name+state+zip`), or `live`: its site was read.',
  })
  _resolved_by?: string;
  @ApiPropertyOptional({
    minimum: 0,
    maximum: 1,
    description:
      'By `_resolved_by`: 0.9 for domain, UEI and license, 0.85 for phone, 0.7 for names; live 0.4, and 0.06 for each of name, logo, industry, socials, technologies, location, phone and e-mail.',
  })
  _confidence?: number;
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When its site was last read for a record, or an import listed it.',
  })
  _freshness?: string;
  @ApiPropertyOptional({ type: 'integer', description: 'Sources that were fused.' })
  _source_count?: number;
}
