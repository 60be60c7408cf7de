import { ApiProperty } from '@nestjs/swagger';

export class ConnectorView {
  @ApiProperty({ example: 'maps' })
  id: string;

  @ApiProperty()
  title: string;

  @ApiProperty()
  description: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema of the parameters.',
  })
  params: object;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'JSON Schema of a row.' })
  schema: object;

  @ApiProperty({ type: 'number', description: 'List price of a row.' })
  pricePerRecordUsd: number;

  @ApiProperty({ type: 'integer', description: 'Credits of each begun group of rows.' })
  credits: number;

  @ApiProperty({ type: 'integer', description: 'Rows of a group.' })
  rowsPerCharge: number;

  @ApiProperty({ description: 'False: the plan of the account does not have it.' })
  available: boolean;
}

/** Response of GET /v1/connectors. */
export class ConnectorCatalog {
  @ApiProperty({ type: [ConnectorView] })
  connectors: readonly ConnectorView[];
}
