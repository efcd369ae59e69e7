from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("grants", "0002_identity_key"),
    ]

    operations = [
        migrations.AddField(
            model_name="grant",
            name="device",
            field=models.TextField(blank=True, default="", db_default=""),
        ),
    ]
