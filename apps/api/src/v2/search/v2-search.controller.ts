import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiError } from '@app/contracts';
import { CREDIT_HEADERS } from '../../accounts/credits/set-credit-headers.js';
import { CREDIT_ERRORS } from '../../http/documented.js';
import type { V2Fields } from '../options/read-options.js';
import { V2Body } from '../options/v2-body.js';
import { Warnings } from '../options/warnings.js';
import { RequiresV2Key } from '../requires-v2-key.js';
import { parseV2Search } from './parse-v2-search.js';
import { V2SearchBody, V2SearchResult } from './v2-search.dto.js';

@ApiTags('v2')
@Controller('v2/search')
export class V2SearchController {
  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Search the web (compatibility set)',
    operationId: 'searchCompatible',
  })
  @ApiBody({ type: V2SearchBody })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: V2SearchResult })
  @RequiresV2Key(
    ...CREDIT_ERRORS,
    'invalid_request',
    'unsupported_format',
    'unsupported_action',
    'unsupported_option',
    'search_unavailable',
  )
  search(@V2Body() body: V2Fields): object {
    parseV2Search(body, new Warnings());
    // No search backend is configured in this service.
    throw new ApiError('search_unavailable', {}, { isPermanent: true });
  }
}
