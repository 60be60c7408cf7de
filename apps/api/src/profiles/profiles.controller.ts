import { Body, Controller, Delete, Get, Module, Param, Put, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ChargeIds, Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { ProfileDeleted, ProfileList, ProfileRequest, ProfileView } from './profiles.dto.js';
import { ProfilesService } from './profiles.service.js';

/** Only a login waits for a page. */
function hasActions(body: unknown): boolean {
  return (body as { readonly actions?: unknown } | null)?.actions != null;
}

@Controller('v1/profiles')
class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Get()
  @ApiOperation({ summary: 'All profiles of the account', operationId: 'listProfiles' })
  @ApiOkResponse({ type: ProfileList })
  @RequiresApiKey('immediate')
  async list(@CurrentTenant() tenant: Tenant): Promise<ProfileList> {
    return { profiles: await this.profiles.list(tenant) };
  }

  @Put(':name')
  @ApiOperation({
    summary: 'Save the login of a site under a name',
    description:
      'POST /v1/scrape, /v1/batch and /v1/crawl use it by `profile`. The cookies are encrypted, and go only to the hosts that they are for.',
    operationId: 'putProfile',
  })
  @ApiBody({ type: ProfileRequest })
  @ApiOkResponse({ type: ProfileView })
  @RequiresApiKey(
    { kind: 'waits', waitsFor: hasActions },
    ...(['invalid_json', 'invalid_url', 'blocked_url', 'invalid_request'] as const),
    ...(['fetch_failed', 'scrape_unavailable', 'draining', 'browser_unavailable'] as const),
    ...(['action_not_available', ...CREDIT_ERRORS] as const),
    ...(['body_too_large', 'unsupported_media_type'] as const),
    ...(['too_many_profiles', 'profiles_unavailable'] as const),
  )
  async put(
    @Param('name') name: string,
    @Body() body: ProfileRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ProfileView> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { profile, spent } = await this.profiles.put(name, body, call);
    if (spent) setCreditHeaders(reply, spent);
    return profile;
  }

  @Get(':name')
  @ApiOperation({ summary: 'One profile', operationId: 'getProfile' })
  @ApiOkResponse({ type: ProfileView })
  @RequiresApiKey('immediate', 'profile_not_found')
  view(@Param('name') name: string, @CurrentTenant() tenant: Tenant): Promise<ProfileView> {
    return this.profiles.view(tenant, name);
  }

  @Delete(':name')
  @ApiOperation({ summary: 'Delete a profile with its cookies', operationId: 'deleteProfile' })
  @ApiOkResponse({ type: ProfileDeleted })
  @RequiresApiKey('immediate', 'profile_not_found')
  async delete(
    @Param('name') name: string,
    @CurrentTenant() tenant: Tenant,
  ): Promise<ProfileDeleted> {
    await this.profiles.delete(tenant, name);
    return { name, deleted: true };
  }
}

@Module({
  imports: [FetchersModule],
  controllers: [ProfilesController],
  providers: [ProfilesService],
})
export class ProfilesModule {}
