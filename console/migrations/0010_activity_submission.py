from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("console", "0009_saved_view"),
    ]

    operations = [
        migrations.AddField(
            model_name="activity",
            name="submission",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddIndex(
            model_name="activity",
            index=models.Index(fields=["submission", "id"], name="activity_submission"),
        ),
    ]
