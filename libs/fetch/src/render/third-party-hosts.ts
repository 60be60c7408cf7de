/**
 * Hosts of advertising, analytics, chats, consent and monitoring, and their subdomains. Written by
 * scripts/third-party-hosts.mjs from the fingerprints.
 */
export const THIRD_PARTY_HOSTS: readonly string[] = `
2mdn.net a.klaviyo.com a.quora.com a.teads.tv actonsoftware.com adform.net adnxs.com ads.adthrive.com
adsrvr.org ak.sail-horizon.com alb.reddit.com amazon-adsystem.com amplitude.com analytics.ahrefs.com
analytics.tiktok.com analytics.twitter.com api-iam.intercom.io api-js.mixpanel.com api.airbrake.io
api.permutive.com api.pirsch.io api.segment.io app.chatwoot.com app.enzuzo.com app.getresponse.com
app.purechat.com app.termly.io app.usercentrics.eu assets.adobedtm.com assets.customer.io
assets.revcontent.com aswpsdkus.com awin1.com b-js.ringba.com b.yjtag.jp bam.nr-data.net bat.bing.com
bcp.crwdcntrl.net beacon-v2.helpscout.net bidswitch.net browser-intake-datadoghq.com browser.sentry-cdn.com
btlr.sharethrough.com c.go-mpulse.net c.lytics.io c.statcounter.com call.chatra.io cc.cdn.civiccomputing.com
cdn-cookieyes.com cdn-prod.securiti.ai cdn.adsafeprotected.com cdn.amplitude.com cdn.appdynamics.com
cdn.attn.tv cdn.blueconic.net cdn.by.wonderpush.com cdn.callrail.com cdn.carbonads.com cdn.channel.io
cdn.consentmanager.net cdn.cookie-script.com cdn.cookielaw.org cdn.decibelinsight.net cdn.firstpromoter.com
cdn.gladly.com cdn.gravitec.net cdn.heapanalytics.com cdn.inspectlet.com cdn.iubenda.com cdn.izooto.com
cdn.kustomerapp.com cdn.listrakbi.com cdn.livechatinc.com cdn.mouseflow.com cdn.muscula.com cdn.mxpnl.com
cdn.onesignal.com cdn.opencmp.net cdn.parsely.com cdn.permutive.com cdn.privacy-mgmt.com cdn.pushowl.com
cdn.pushwoosh.com cdn.quantummetric.com cdn.ravenjs.com cdn.raygun.io cdn.requestmetrics.com cdn.rollbar.com
cdn.scarabresearch.com cdn.segment.com cdn.speedcurve.com cdn.subscribers.com cdn.trackjs.com
cdn.treasuredata.com cdn.usefathom.com cdn.vercel-insights.com cdn.viglink.com ced.sascdn.com chimpstatic.com
choices.consentframework.com clarity.ms client.crisp.chat clientcdn.pushengage.com cloud.ccm19.de
cloud.umami.is cloudflareinsights.com cmp.inmobi.com cmp.osano.com cmp.quantcast.com cnzz.com
code.etracker.com code.jivosite.com code.tidio.co collect.igodigital.com collect.tealiumiq.com
config.gorgias.chat consent.cookiebot.com consent.cookiefirst.com consent.trustarc.com contextual.media.net
counter.yadro.ru criteo.com criteo.net ct.pinterest.com d2wy8f7a9ursnm.cloudfront.net dap.digitalgov.gov
datadoghq-browser-agent.com demdex.net diffuser-cdn.app-us1.com doubleclick.net dwin1.com edge.fullstory.com
embed.tawk.to emjcd.com events.attentivemobile.com everesttech.net ezojs.com
faro-collector-prod-eu-west-2.grafana.net gc.zgo.at gdpr-wrapper.privacymanager.io getdrip.com
global.ketchcdn.com global.siteimproveanalytics.io go.pardot.com google-analytics.com googleadservices.com
googlesyndication.com googletagmanager.com heapanalytics.com histats.com hm.baidu.com hotjar.com
htlb.casalemedia.com i.kissmetrics.io ict.infinity-tracking.net img.en25.com in.getclicky.com
in.treasuredata.com infusionsoft.com ingest.sentry.io js-agent.newrelic.com js-cdn.dynatrace.com
js-sec.indexww.com js.appboycdn.com js.driftt.com js.honeybadger.io js.intercomcdn.com js.monitor.azure.com
js.partnerstack.com js.sentry-cdn.com js.usemessages.com jsc.mgid.com jssdkcdns.mparticle.com liveinternet.ru
load.sumo.com lptag.liveperson.net lux.speedcurve.com m.servedby-buysellads.com mc.yandex.ru mczbf.com
mktoresp.com moatads.com munchkin.marketo.net native.sharethrough.com nexus.ensighten.com
nova.collect.igodigital.com omnisnippet1.com omtrdc.net openx.net outbrain.com parsely.com pi.pardot.com
ping.chartbeat.net pixel.adsafeprotected.com pixel.byspotify.com pixel.wp.com plausible.io
policy.app.cookieinformation.com pro.hit.gemius.pl pub.highlight.io pubmatic.com px.ads.linkedin.com
q.quora.com quantserve.com queue.simpleanalyticscdn.com r.wdfl.co resources.infolinks.com
responder.wt-safetag.com rs.fullstory.com rubiconproject.com rum-collector-2.pingdom.net
rum-static.pingdom.net s-eu-1.pushpushgo.com s.adroll.com s.ksrndkehqnwntyxlhgto.com s.ntv.io
s.skimresources.com s.yjtag.jp sc-static.net scdn.cxense.com scorecardresearch.com script.crazyegg.com
script.ioam.de script.tapfiliate.com scripts.mediavine.com scripts.simpleanalyticscdn.com sdk.iad-01.braze.com
sdk.postscript.io sdk.privacy-center.org secure.gaug.es sessions.bugsnag.com shareasale.com sibautomation.com
smartadserver.com smartsuppchat.com snap.licdn.com snippet.growsumo.com solutions.invocacdn.com
sp.analytics.yahoo.com statcounter.com static.ads-twitter.com static.axept.io static.chartbeat.com
static.cleverpush.com static.cloudflareinsights.com static.getclicky.com static.klaviyo.com static.landbot.io
static.olark.com static.woopra.com stats.wp.com t.contentsquare.net t.eloqua.com t.skimresources.com
t.teads.tv taboola.com tag.aticdn.net tag.bounceexchange.com tag.getdrip.com tag.rmp.rakuten.com tag.wknd.ai
tags.creativecdn.com tags.crwdcntrl.net tarteaucitron.io tools.luckyorange.com top-fwz1.mail.ru tr.line.me
tr.snapchat.com track.hubspot.com trackcmp.net transcend-cdn.com us-assets.i.posthog.com us.creativecdn.com
us.i.posthog.com userlike-cdn-widgets.s3-eu-west-1.amazonaws.com utt.impactcdn.com
visitor-service-eu-west-1.tealiumiq.com visitor-service.tealiumiq.com vue.comm100.com wchat.freshchat.com
wcs.naver.net web-sdk.smartlook.com web.webpushs.com westeurope-5.in.applicationinsights.azure.com
widget.getgist.com widget.intercom.io widget.privy.com zopim.com
`
  .trim()
  .split(/\s+/);
